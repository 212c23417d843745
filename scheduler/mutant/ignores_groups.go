package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "ignores-groups",
		About:    "It schedules the members of a gang one by one, as if the group had the basic policy.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-001", "GANG-003", "GANG-052", "FIELD-001", "FIELD-006", "INV-001", "INV-002", "INV-005"},
		May:      []string{"FIELD-002", "INV-004"},
		fault: func() *control.Fault {
			return &control.Fault{PodGroup: func(g *schedulingv1beta1.PodGroup) {
				g.Spec.SchedulingPolicy = schedulingv1beta1.PodGroupSchedulingPolicy{Basic: &schedulingv1beta1.BasicSchedulingPolicy{}}
			}}
		},
	})
}
