package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "leaves-anywhere",
		About:    "It enforces the topology constraint of a composite, and spreads the PodGroups below it over the domains of theirs.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-026", "CPG-027"},
		May:      []string{"INV-010"},
		fault: func() *control.Fault {
			return spreading(func(g *schedulingv1beta1.PodGroup) bool { return g.Spec.ParentCompositePodGroupName != nil })
		},
	})
}
