package mutant

import (
	resourcev1 "k8s.io/api/resource/v1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "blind-to-match-attribute",
		About:    "It does not look at the constraints of a claim.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-037"},
		fault: func() *control.Fault {
			return &control.Fault{ResourceClaim: func(c *resourcev1.ResourceClaim) { c.Spec.Devices.Constraints = nil }}
		},
	})
}
