package mutant

import (
	"slices"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "binds-the-last-without-claims",
		About:    "It binds the last member of a group without reserving those claims that are not the group's.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-003", "INV-015"},
		fault: func() *control.Fault {
			return &control.Fault{Decision: func(d *engine.Decision) {
				n := len(d.Placements)
				if d.Root.Kind != engine.KindPodGroup || n < 2 {
					return
				}
				last := &d.Placements[n-1]
				last.Devices = slices.DeleteFunc(slices.Clone(last.Devices), func(c engine.DeviceClaim) bool { return !forGroup(c) })
			}}
		},
	})
}
