package mutant

import (
	resourcev1 "k8s.io/api/resource/v1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "blind-to-counters",
		About:    "It takes partitions of a device for devices that have nothing in common.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-025"},
		May:      []string{"DRA-053", "DRA-047"},
		fault: func() *control.Fault {
			return &control.Fault{ResourceSlice: func(s *resourcev1.ResourceSlice) {
				for i := range s.Spec.Devices {
					s.Spec.Devices[i].ConsumesCounters = nil
				}
			}}
		},
	})
}
