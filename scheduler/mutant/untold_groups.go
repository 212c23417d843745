package mutant

import (
	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "untold-groups",
		About:    "It evicts a group as a whole and does not say so on the group.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-066"},
		fault: func() *control.Fault {
			return &control.Fault{SilentGroups: true}
		},
	})
}
