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
		Name:     "done-with-empty-groups",
		About:    "It takes a group with devices for finished when all of its members are gone.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-012"},
		fault: func() *control.Fault {
			alive, done := map[engine.Key]map[types.UID]bool{}, map[engine.Key]bool{}
			return &control.Fault{
				Pod: func(p *corev1.Pod) {
					if k, ok := groupOf(p); ok && p.Spec.NodeName != "" {
						if alive[k] == nil {
							alive[k] = map[types.UID]bool{}
						}
						alive[k][p.UID] = true
					}
				},
				PodGone: func(p *corev1.Pod) bool {
					if k, ok := groupOf(p); ok && alive[k][p.UID] {
						delete(alive[k], p.UID)
						done[k] = done[k] || len(alive[k]) == 0
					}
					return true
				},
				Decision: func(d *engine.Decision) {
					if done[d.Root.Key] && slices.ContainsFunc(d.Placements, func(p engine.Placement) bool { return len(p.Devices) > 0 }) {
						unplace(d)
					}
				},
			}
		},
	})
}
