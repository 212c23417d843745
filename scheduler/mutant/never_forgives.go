package mutant

import (
	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/utils/ptr"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "never-forgives",
		About:    "A gang one member of which had another priority is not scheduled after that member is gone either.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-035"},
		May:      []string{"INV-004", "INV-007"},
		fault: func() *control.Fault {
			priority := map[engine.Key]int32{}
			odd := map[engine.Key]bool{}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) { priority[keyOf(g)] = ptr.Deref(g.Spec.Priority, 0) },
				Pod: func(p *corev1.Pod) {
					k, ok := groupOf(p)
					if want, known := priority[k]; ok && known && ptr.Deref(p.Spec.Priority, 0) != want {
						odd[k] = true
					}
				},
				Decision: func(d *engine.Decision) {
					if d.Root.Kind == engine.KindPodGroup && odd[d.Root.Key] {
						unplace(d)
					}
				},
			}
		},
	})
}
