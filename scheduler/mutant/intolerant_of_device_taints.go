package mutant

import (
	resourcev1 "k8s.io/api/resource/v1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "intolerant-of-device-taints",
		About:    "It does not look at what taints of devices a claim tolerates.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-029"},
		fault: func() *control.Fault {
			return &control.Fault{ResourceClaim: func(c *resourcev1.ResourceClaim) {
				for _, r := range c.Spec.Devices.Requests {
					if r.Exactly != nil {
						r.Exactly.Tolerations = nil
					}
				}
			}}
		},
	})
}
