package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "basic-evicts-nobody",
		About:    "It evicts nobody for a group with the basic policy.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-002"},
		fault: func() *control.Fault {
			isBasic := map[engine.Key]bool{}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) { isBasic[keyOf(g)] = g.Spec.SchedulingPolicy.Basic != nil },
				Plan: func(p *engine.Plan) {
					if p.Root.Kind == engine.KindPodGroup && isBasic[p.Root.Key] {
						noPlan(p)
					}
				},
			}
		},
	})
}
