package mutant

import (
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "any-child-will-do",
		About:    "It takes one child for enough, whatever the minGroupCount of a composite.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-002", "CPG-019"},
		fault: func() *control.Fault {
			return &control.Fault{Composite: func(g *schedulingv1alpha3.CompositePodGroup) {
				if gang := g.Spec.SchedulingPolicy.Gang; gang != nil {
					gang.MinGroupCount = 1
				}
			}}
		},
	})
}
