package mutant

import (
	"slices"

	resourcev1 "k8s.io/api/resource/v1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "members-fill-the-claim",
		About:    "It takes the claim of a group for full when the group has more members than a claim has reservations.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-002"},
		fault: func() *control.Fault {
			return &control.Fault{Decision: func(d *engine.Decision) {
				users := 0
				for _, p := range d.Placements {
					if slices.ContainsFunc(p.Devices, forGroup) {
						users++
					}
				}
				if users > resourcev1.ResourceClaimReservedForMaxSize {
					unplace(d)
				}
			}}
		},
	})
}
