package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "evicts-equals",
		About:    "It evicts pods and groups of the priority of the preemptor.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-006", "PRE-054", "INV-011"},
		May:      []string{"INV-014"},
		fault: func() *control.Fault {
			return &control.Fault{Engine: engine.Fault{EqualVictims: true}}
		},
	})
}
