package mutant

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "members-of-trees-are-not-replaced",
		About:    "It places no pod in a group of a tree that has lost a member.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-021"},
		fault: func() *control.Fault {
			lost, of := map[engine.Key]bool{}, map[types.UID]engine.Key{}
			return &control.Fault{
				Pod: func(p *corev1.Pod) {
					if k, ok := groupOf(p); ok {
						of[p.UID] = k
					}
				},
				PodGone: func(p *corev1.Pod) bool {
					if k, ok := groupOf(p); ok {
						lost[k] = lost[k] || p.Spec.NodeName != ""
					}
					return true
				},
				Decision: func(d *engine.Decision) {
					if d.Root.Kind == engine.KindComposite &&
						slices.ContainsFunc(d.Placements, func(p engine.Placement) bool { return lost[of[p.Pod.UID]] }) {
						unplace(d)
					}
				},
			}
		},
	})
}
