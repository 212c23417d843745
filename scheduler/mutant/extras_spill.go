package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/api/meta"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "extras-spill",
		About:    "It holds a group to one domain only until the group has been scheduled.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-006", "TAS-007", "TAS-012"},
		May:      []string{"INV-010"},
		fault: func() *control.Fault {
			return &control.Fault{PodGroup: func(g *schedulingv1beta1.PodGroup) {
				if meta.IsStatusConditionTrue(g.Status.Conditions, schedulingv1beta1.PodGroupInitiallyScheduled) {
					g.Spec.SchedulingConstraints = nil
				}
			}}
		},
	})
}
