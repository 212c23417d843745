package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "always-one-by-one",
		About:    "It evicts single members of a group that is only to be disrupted as a whole.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-020", "PRE-021", "PRE-023", "PRE-026", "INV-012"},
		fault: func() *control.Fault {
			return &control.Fault{PodGroup: func(g *schedulingv1beta1.PodGroup) {
				g.Spec.DisruptionMode = nil
			}}
		},
	})
}
