package mutant

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "gives-up-behind-slow-binds",
		About:    "A gang that found no room while binds of others in its namespace were under way is not tried again.",
		Profiles: []string{robust},
		Kills:    []string{"ROB-011"},
		May:      []string{"INV-004"},
		fault: func() *control.Fault {
			under := map[types.UID]string{} // binds under way, and their namespaces
			lost := map[engine.Root]bool{}
			return &control.Fault{
				Pod: func(p *corev1.Pod) {
					if p.Spec.NodeName != "" {
						delete(under, p.UID)
					}
				},
				PodGone: func(p *corev1.Pod) bool {
					delete(under, p.UID)
					return true
				},
				Decision: func(d *engine.Decision) {
					if d.Outcome == engine.Unschedulable && d.Root.Kind == engine.KindPodGroup {
						for _, namespace := range under {
							lost[d.Root] = lost[d.Root] || namespace == d.Root.Namespace
						}
					}
					if lost[d.Root] {
						unplace(d)
						return
					}
					for _, p := range d.Placements {
						under[p.Pod.UID] = p.Pod.Namespace
					}
				},
			}
		},
	})
}
