package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "highest-victims-first",
		About:    "Of several victims that would do it takes those of the highest priority.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-026", "PRE-047"},
		May:      []string{"INV-013"},
		fault: func() *control.Fault {
			return &control.Fault{Engine: engine.Fault{TopVictims: true}}
		},
	})
}
