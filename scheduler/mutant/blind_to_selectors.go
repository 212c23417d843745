package mutant

import (
	resourcev1 "k8s.io/api/resource/v1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "blind-to-selectors",
		About:    "It does not look at the selectors of a claim, only at those of its class.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-038"},
		May:      []string{"DRA-052", "DRA-037", "DRA-039"},
		fault: func() *control.Fault {
			return &control.Fault{ResourceClaim: func(c *resourcev1.ResourceClaim) {
				for _, r := range c.Spec.Devices.Requests {
					if r.Exactly != nil {
						r.Exactly.Selectors = nil
					}
				}
			}}
		},
	})
}
