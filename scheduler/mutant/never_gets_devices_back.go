package mutant

import (
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "never-gets-devices-back",
		About:    "It does not notice that a claim gives its devices back.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-047"},
		May:      []string{"DRA-025", "DRA-051"},
		fault: func() *control.Fault {
			had := map[types.UID]*resourcev1.AllocationResult{}
			return &control.Fault{
				ResourceClaim: func(c *resourcev1.ResourceClaim) {
					if c.Status.Allocation != nil {
						had[c.UID] = c.Status.Allocation.DeepCopy()
					} else if a := had[c.UID]; a != nil {
						c.Status.Allocation = a.DeepCopy()
					}
				},
				ClaimGone: func(c *resourcev1.ResourceClaim) bool { return had[c.UID] == nil },
			}
		},
	})
}
