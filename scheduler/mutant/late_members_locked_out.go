package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/api/meta"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "late-members-locked-out",
		About:    "It takes no later member into a group with a topology constraint that was scheduled.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-006", "TAS-008", "TAS-032"},
		May:      []string{"INV-004", "INV-007"},
		fault: func() *control.Fault {
			return &control.Fault{PodGroup: func(g *schedulingv1beta1.PodGroup) {
				if c := g.Spec.SchedulingConstraints; c != nil && meta.IsStatusConditionTrue(g.Status.Conditions, schedulingv1beta1.PodGroupInitiallyScheduled) {
					for i := range c.Topology {
						c.Topology[i].Key = "nobody.has/this"
					}
				}
			}}
		},
	})
}
