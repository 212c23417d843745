package mutant

import (
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "tree-in-pieces",
		About:    "It evicts single pods of a tree that is only to be disrupted as a whole.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-034", "CPG-040"},
		May:      []string{"INV-012"},
		fault: func() *control.Fault {
			return &control.Fault{Composite: func(g *schedulingv1alpha3.CompositePodGroup) {
				g.Spec.DisruptionMode = nil
			}}
		},
	})
}
