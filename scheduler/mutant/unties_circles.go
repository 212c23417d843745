package mutant

import (
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
)

func init() {
	add(Mutant{
		Name:     "unties-circles",
		About:    "It takes a composite for a root whose parent stands below it.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-011"},
		May:      []string{"INV-002"},
		fault: orphans(func(g *schedulingv1alpha3.CompositePodGroup, grandparent string) bool {
			return grandparent == g.Name
		}),
	})
}
