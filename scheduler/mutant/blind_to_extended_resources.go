package mutant

import (
	resourcev1 "k8s.io/api/resource/v1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "blind-to-extended-resources",
		About:    "It does not know that a class of devices serves an extended resource.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-018"},
		fault: func() *control.Fault {
			return &control.Fault{DeviceClass: func(c *resourcev1.DeviceClass) { c.Spec.ExtendedResourceName = nil }}
		},
	})
}
