package mutant

import (
	"fmt"
	"slices"

	resourcev1 "k8s.io/api/resource/v1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "three-for-one",
		About:    "It counts each device three times, and gives out copies that do not exist.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-019", "DRA-049"},
		May:      []string{"DRA-010", "DRA-018", "DRA-032"},
		fault: func() *control.Fault {
			return &control.Fault{ResourceSlice: func(s *resourcev1.ResourceSlice) {
				for _, d := range slices.Clone(s.Spec.Devices) {
					for i := range 2 {
						again := *d.DeepCopy()
						again.Name = fmt.Sprintf("%s-%d", d.Name, i+2)
						s.Spec.Devices = append(s.Spec.Devices, again)
					}
				}
			}}
		},
	})
}
