package mutant

import (
	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "takes-back-its-word",
		About:    "It says that a group has not been scheduled when a later member finds no room.",
		Profiles: []string{conditions},
		Kills:    []string{"COND-004"},
		May:      []string{"INV-005"}, // where what it said last stands for long
		fault: func() *control.Fault {
			return &control.Fault{Fickle: true}
		},
	})
}
