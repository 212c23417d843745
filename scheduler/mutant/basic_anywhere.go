package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "basic-anywhere",
		About:    "It does not enforce the topology constraint of a group with the basic policy.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-013"},
		May:      []string{"INV-010"},
		fault: func() *control.Fault {
			return &control.Fault{PodGroup: func(g *schedulingv1beta1.PodGroup) {
				if g.Spec.SchedulingPolicy.Basic != nil {
					g.Spec.SchedulingConstraints = nil
				}
			}}
		},
	})
}
