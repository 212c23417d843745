package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "one-is-no-gang",
		About:    "It takes a quorum of one for a quorum of two.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-017"},
		May:      []string{"INV-004"},
		fault: func() *control.Fault {
			return &control.Fault{PodGroup: func(g *schedulingv1beta1.PodGroup) {
				if gang := g.Spec.SchedulingPolicy.Gang; gang != nil && gang.MinCount == 1 {
					gang.MinCount = 2
				}
			}}
		},
	})
}
