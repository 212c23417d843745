package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "trees-evict-in-vain",
		About:    "It evicts everybody of lower priority in its namespace although the tree would not fit even then.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-033"},
		May:      []string{"INV-011"},
		fault: func() *control.Fault {
			return &control.Fault{Engine: engine.Fault{InVain: true}, Plan: sparesOthers}
		},
	})
}
