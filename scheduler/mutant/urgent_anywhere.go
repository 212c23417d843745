package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "urgent-anywhere",
		About:    "It does not enforce the topology constraint of a group that has a priority.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-036"},
		May:      []string{"INV-002", "INV-010", "INV-011"},
		fault: func() *control.Fault {
			return &control.Fault{PodGroup: func(g *schedulingv1beta1.PodGroup) {
				if g.Spec.Priority != nil && *g.Spec.Priority > 0 {
					g.Spec.SchedulingConstraints = nil
				}
			}}
		},
	})
}
