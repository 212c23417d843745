package mutant

import (
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
)

func init() {
	add(Mutant{
		Name:     "looks-two-levels-up",
		About:    "It does not look higher than two composites above a group: what is left out above it does not count.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-009", "CPG-010", "CPG-011"},
		May:      []string{"INV-002"},
		fault: orphans(func(_ *schedulingv1alpha3.CompositePodGroup, grandparent string) bool {
			return grandparent != ""
		}),
	})
}
