package mutant

import (
	policyv1 "k8s.io/api/policy/v1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "blind-to-budgets",
		About:    "It does not look at disruption budgets.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-042", "PRE-043"},
		fault: func() *control.Fault {
			return &control.Fault{Budget: func(b *policyv1.PodDisruptionBudget) { b.Status.DisruptionsAllowed = 1 << 20 }}
		},
	})
}
