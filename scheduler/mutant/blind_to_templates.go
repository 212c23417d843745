package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "blind-to-templates",
		About:    "It knows only gangs that somebody wrote by hand: one that was made from a Workload's template it takes for basic.",
		Profiles: []string{gangs},
		Kills:    []string{"JOB-026", "WLB-003", "INV-001", "INV-002", "INV-005"},
		fault: func() *control.Fault {
			return &control.Fault{PodGroup: func(g *schedulingv1beta1.PodGroup) {
				if g.Spec.WorkloadRef != nil {
					g.Spec.SchedulingPolicy = schedulingv1beta1.PodGroupSchedulingPolicy{Basic: &schedulingv1beta1.BasicSchedulingPolicy{}}
				}
			}}
		},
	})
}
