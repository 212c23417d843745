package mutant

import (
	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "lowest-first",
		About:    "It tries the groups of the lowest priority first, and evicts nobody.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-054"},
		May:      []string{"INV-006"},
		fault: func() *control.Fault {
			return &control.Fault{LowestFirst: true, Plan: noPlan}
		},
	})
}
