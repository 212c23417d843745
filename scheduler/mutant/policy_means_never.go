package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "policy-means-never",
		About:    "A group that states a preemption policy never preempts, whatever the policy says.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-010"},
		fault: func() *control.Fault {
			stated := map[engine.Key]bool{}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) { stated[keyOf(g)] = g.Spec.PreemptionPolicy != nil },
				Plan: func(p *engine.Plan) {
					if p.Root.Kind == engine.KindPodGroup && stated[p.Root.Key] {
						noPlan(p)
					}
				},
			}
		},
	})
}
