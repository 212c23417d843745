package mutant

import (
	resourcev1 "k8s.io/api/resource/v1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "one-is-all",
		About:    "It takes a claim on all devices of a kind for one on a single device.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-039"},
		fault: func() *control.Fault {
			return &control.Fault{ResourceClaim: func(c *resourcev1.ResourceClaim) {
				for _, r := range c.Spec.Devices.Requests {
					if r.Exactly != nil && r.Exactly.AllocationMode == resourcev1.DeviceAllocationModeAll {
						r.Exactly.AllocationMode, r.Exactly.Count = resourcev1.DeviceAllocationModeExactCount, 1
					}
				}
			}}
		},
	})
}
