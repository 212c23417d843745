package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "gangs-evict-nobody",
		About:    "It evicts nobody for a gang, only for pods and basic groups.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-001", "PRE-049"},
		May:      []string{"INV-006"},
		fault: func() *control.Fault {
			gang := map[engine.Key]bool{}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) { gang[keyOf(g)] = g.Spec.SchedulingPolicy.Gang != nil },
				Plan: func(p *engine.Plan) {
					if p.Root.Kind == engine.KindPodGroup && gang[p.Root.Key] {
						noPlan(p)
					}
				},
			}
		},
	})
}
