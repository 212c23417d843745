package mutant

import (
	resourcev1 "k8s.io/api/resource/v1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "one-device-too-many",
		About:    "It gives the claim of a group one device more than it asks for, which nobody has published.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-009", "DRA-020", "DRA-033"},
		May:      []string{"DRA-002", "DRA-011", "DRA-012"},
		fault: func() *control.Fault {
			return &control.Fault{Decision: func(d *engine.Decision) {
				changeGroupDevices(d, func(a *resourcev1.AllocationResult) {
					if n := len(a.Devices.Results); n == 1 {
						more := *a.Devices.Results[0].DeepCopy()
						more.Device += "-and-one"
						a.Devices.Results = append(a.Devices.Results, more)
					}
				})
			}}
		},
	})
}
