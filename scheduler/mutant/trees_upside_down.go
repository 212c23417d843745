package mutant

import (
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "trees-upside-down",
		About:    "Of trees that are disrupted as a whole it takes the rank the wrong way round.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-046", "CPG-047"},
		May:      []string{"INV-011", "INV-013"},
		fault: func() *control.Fault {
			return &control.Fault{Composite: func(g *schedulingv1alpha3.CompositePodGroup) {
				if d := g.Spec.DisruptionMode; d != nil && d.All != nil && g.Spec.Priority != nil {
					*g.Spec.Priority = -*g.Spec.Priority
				}
			}}
		},
	})
}
