package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "basic-wants-company",
		About:    "It holds a member of a basic group back until there is a second one.",
		Profiles: []string{basic},
		Kills:    []string{"BASIC-001"},
		fault: func() *control.Fault {
			return &control.Fault{PodGroup: func(g *schedulingv1beta1.PodGroup) {
				if g.Spec.SchedulingPolicy.Basic != nil {
					g.Spec.SchedulingPolicy.Basic = nil
					g.Spec.SchedulingPolicy.Gang = &schedulingv1beta1.GangSchedulingPolicy{MinCount: 2}
				}
			}}
		},
	})
}
