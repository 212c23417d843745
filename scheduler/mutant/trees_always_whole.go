package mutant

import (
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "trees-always-whole",
		About:    "It disrupts every tree as a whole, whether its root says so or not.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-035", "CPG-041", "CPG-043"},
		May:      []string{"INV-013"},
		fault: func() *control.Fault {
			return &control.Fault{Composite: func(g *schedulingv1alpha3.CompositePodGroup) {
				if g.Spec.ParentCompositePodGroupName == nil {
					g.Spec.DisruptionMode = &schedulingv1alpha3.CompositeDisruptionMode{All: &schedulingv1alpha3.AllCompositeDisruptionMode{}}
				}
			}}
		},
	})
}
