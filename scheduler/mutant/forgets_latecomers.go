package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/api/meta"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "forgets-latecomers",
		About:    "It has no eye for members that come after their gang was scheduled.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-006"},
		fault: func() *control.Fault {
			done := map[engine.Key]bool{}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) {
					done[keyOf(g)] = meta.IsStatusConditionTrue(g.Status.Conditions, schedulingv1beta1.PodGroupInitiallyScheduled)
				},
				Decision: func(d *engine.Decision) {
					if d.Root.Kind == engine.KindPodGroup && done[d.Root.Key] {
						unplace(d)
					}
				},
			}
		},
	})
}
