package mutant

import (
	"slices"

	resourcev1 "k8s.io/api/resource/v1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "last-of-the-list",
		About:    "It tries the alternatives of a request from the last to the first.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-031"},
		fault: func() *control.Fault {
			return &control.Fault{ResourceClaim: func(c *resourcev1.ResourceClaim) {
				for _, r := range c.Spec.Devices.Requests {
					slices.Reverse(r.FirstAvailable)
				}
			}}
		},
	})
}
