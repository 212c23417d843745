package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "domains-evict-nobody",
		About:    "It does not preempt for a group that demands a domain.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-030"},
		May:      []string{"INV-004"},
		fault: func() *control.Fault {
			demands := map[engine.Key]bool{}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) { demands[keyOf(g)] = g.Spec.SchedulingConstraints != nil },
				Plan: func(p *engine.Plan) {
					if p.Root.Kind == engine.KindPodGroup && demands[p.Root.Key] {
						noPlan(p)
					}
				},
			}
		},
	})
}
