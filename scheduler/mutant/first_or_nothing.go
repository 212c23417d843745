package mutant

import (
	resourcev1 "k8s.io/api/resource/v1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "first-or-nothing",
		About:    "It knows only the first of the alternatives of a request.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-050"},
		fault: func() *control.Fault {
			return &control.Fault{ResourceClaim: func(c *resourcev1.ResourceClaim) {
				for i := range c.Spec.Devices.Requests {
					if r := &c.Spec.Devices.Requests[i]; len(r.FirstAvailable) > 1 {
						r.FirstAvailable = r.FirstAvailable[:1]
					}
				}
			}}
		},
	})
}
