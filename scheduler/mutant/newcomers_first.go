package mutant

import (
	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "newcomers-first",
		About:    "It lets pods of lower priority take the room that was made for a group, and looks at them first.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-062", "PRE-069", "INV-006"},
		May:      []string{"PRE-011", "INV-013", "INV-014"},
		fault: func() *control.Fault {
			return &control.Fault{Unnominated: true, LowestFirst: true}
		},
	})
}
