package mutant

import (
	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "tries-again-at-once",
		About:    "It repeats binds that were refused without waiting.",
		Profiles: []string{robust},
		Kills:    []string{"ROB-013"},
		May:      []string{"ROB-003", "ROB-008"},
		fault: func() *control.Fault {
			return &control.Fault{AtOnce: true}
		},
	})
}
