package mutant

import (
	resourcev1 "k8s.io/api/resource/v1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "knows-seven-devices",
		About:    "It knows the first seven devices of a node, and not those that follow.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-051", "DRA-053"},
		fault: func() *control.Fault {
			return &control.Fault{ResourceSlice: func(s *resourcev1.ResourceSlice) {
				s.Spec.Devices = s.Spec.Devices[:min(len(s.Spec.Devices), 7)]
			}}
		},
	})
}
