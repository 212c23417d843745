package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "counts-ghosts",
		About:    "Members that were deleted while they waited go on counting toward the quorum.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-061"},
		May:      []string{"INV-002"},
		fault: func() *control.Fault {
			return &control.Fault{Engine: engine.Fault{Ghosts: true}}
		},
	})
}
