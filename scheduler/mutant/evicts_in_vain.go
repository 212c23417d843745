package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "evicts-in-vain",
		About:    "It evicts everybody of lower priority in its namespace although the preemptor would not fit even then.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-003", "PRE-025", "FIELD-010", "FIELD-014"},
		May:      []string{"INV-011"},
		fault: func() *control.Fault {
			return &control.Fault{Engine: engine.Fault{InVain: true}, Plan: sparesOthers}
		},
	})
}
