package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "evicts-everybody",
		About:    "It evicts everybody in its namespace who is no more important than the few that would make room.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-022", "PRE-024", "PRE-052", "FIELD-011", "INV-013"},
		fault: func() *control.Fault {
			return &control.Fault{Engine: engine.Fault{AllVictims: true}}
		},
	})
}
