package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "trees-evict-nobody",
		About:    "It never preempts for a tree of groups.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-032", "CPG-045", "CPG-048"},
		May:      []string{"INV-004"},
		fault: func() *control.Fault {
			return &control.Fault{Plan: func(p *engine.Plan) {
				if p.Root.Kind == engine.KindComposite {
					noPlan(p)
				}
			}}
		},
	})
}
