package mutant

import (
	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "untold-victims",
		About:    "It evicts pods without the condition that says why.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-060"},
		fault: func() *control.Fault {
			return &control.Fault{Silent: true}
		},
	})
}
