package mutant

import (
	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "room-for-anyone",
		About:    "It nominates nobody for the room it makes, and lets others take it.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-062"},
		May:      []string{"PRE-069", "INV-006"},
		fault: func() *control.Fault {
			return &control.Fault{Unnominated: true}
		},
	})
}
