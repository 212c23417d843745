package mutant

import (
	resourcev1 "k8s.io/api/resource/v1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "one-device-for-all-groups",
		About:    "It gives every group the device of the pool that the first group was given.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-033", "INV-009"},
		May:      []string{"INV-015"},
		fault: func() *control.Fault {
			first := map[string]string{}
			return &control.Fault{Decision: func(d *engine.Decision) {
				changeGroupDevices(d, func(a *resourcev1.AllocationResult) {
					for i := range a.Devices.Results {
						r := &a.Devices.Results[i]
						pool := r.Driver + "/" + r.Pool
						if first[pool] == "" {
							first[pool] = r.Device
						}
						r.Device = first[pool]
					}
				})
			}}
		},
	})
}
