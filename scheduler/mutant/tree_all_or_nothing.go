package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "tree-all-or-nothing",
		About:    "It binds the waiting pods of a tree only if there is room for all of them.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-005"},
		May:      []string{"INV-007"},
		fault: func() *control.Fault {
			return &control.Fault{Decision: func(d *engine.Decision) {
				if d.Root.Kind == engine.KindComposite && len(d.Left) > 0 {
					unplace(d)
				}
			}}
		},
	})
}
