package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "soft-topology",
		About:    "It treats a topology constraint as a wish, and forgets it when no domain is large enough.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-002"},
		fault: func() *control.Fault {
			return &control.Fault{PodGroup: func(g *schedulingv1beta1.PodGroup) { g.Spec.SchedulingConstraints = nil }}
		},
	})
}
