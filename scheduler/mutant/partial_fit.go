package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "partial-fit",
		About:    "It waits for the members of a gang, but then places as many as there is room for.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-003", "GANG-041", "INV-001", "INV-002"},
		May:      []string{"GANG-052"},
		fault: func() *control.Fault {
			return &control.Fault{Engine: engine.Fault{PartialFit: true}}
		},
	})
}
