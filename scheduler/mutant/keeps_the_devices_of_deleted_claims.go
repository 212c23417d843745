package mutant

import (
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "keeps-the-devices-of-deleted-claims",
		About:    "The devices of a claim that is deleted while it is in use are taken for ever.",
		Profiles: []string{robust},
		Kills:    []string{"ROB-017"},
		May:      []string{"INV-004", "INV-007"},
		fault: func() *control.Fault {
			used := map[types.UID]*resourcev1.AllocationResult{} // by claims that are being deleted
			return &control.Fault{
				ResourceClaim: func(c *resourcev1.ResourceClaim) {
					switch a := c.Status.Allocation; {
					case c.DeletionTimestamp == nil:
					case a != nil:
						used[c.UID] = a.DeepCopy()
					case used[c.UID] != nil:
						c.Status.Allocation = used[c.UID].DeepCopy()
					}
				},
				ClaimGone: func(c *resourcev1.ResourceClaim) bool { return used[c.UID] == nil },
			}
		},
	})
}
