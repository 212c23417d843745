package mutant

import (
	resourcev1 "k8s.io/api/resource/v1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "blind-to-device-taints",
		About:    "It does not look at the taints of devices.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-017"},
		fault: func() *control.Fault {
			return &control.Fault{ResourceSlice: func(s *resourcev1.ResourceSlice) {
				for i := range s.Spec.Devices {
					s.Spec.Devices[i].Taints = nil
				}
			}}
		},
	})
}
