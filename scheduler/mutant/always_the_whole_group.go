package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "always-the-whole-group",
		About:    "It evicts all members of a group of which one has to go, also where they may be disrupted singly.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-022", "PRE-024"},
		May:      []string{"INV-013"},
		fault: func() *control.Fault {
			return &control.Fault{PodGroup: func(g *schedulingv1beta1.PodGroup) {
				g.Spec.DisruptionMode = &schedulingv1beta1.DisruptionMode{All: &schedulingv1beta1.AllDisruptionMode{}}
			}}
		},
	})
}
