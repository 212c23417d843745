package mutant

import (
	"strings"

	resourcev1 "k8s.io/api/resource/v1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "reads-small-letters-only",
		About:    "It does not see attributes of devices whose names have capital letters.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-052"},
		fault: func() *control.Fault {
			return &control.Fault{ResourceSlice: func(s *resourcev1.ResourceSlice) {
				for i := range s.Spec.Devices {
					for name := range s.Spec.Devices[i].Attributes {
						if strings.ToLower(string(name)) != string(name) {
							delete(s.Spec.Devices[i].Attributes, name)
						}
					}
				}
			}}
		},
	})
}
