package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "one-short",
		About:    "It takes a gang for complete when one member of its quorum is still missing.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-001", "GANG-003", "INV-001", "INV-002", "INV-005"},
		fault: func() *control.Fault {
			return &control.Fault{PodGroup: func(g *schedulingv1beta1.PodGroup) {
				if gang := g.Spec.SchedulingPolicy.Gang; gang != nil && gang.MinCount > 1 {
					gang.MinCount--
				}
			}}
		},
	})
}
