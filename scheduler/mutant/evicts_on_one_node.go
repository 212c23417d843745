package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "evicts-on-one-node",
		About:    "It evicts nobody where the room is only to be had on more than one node.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-049"},
		May:      []string{"INV-006"},
		fault: func() *control.Fault {
			return &control.Fault{Plan: func(p *engine.Plan) {
				for _, pl := range p.Placements {
					if pl.Node != p.Placements[0].Node {
						noPlan(p)
						return
					}
				}
			}}
		},
	})
}
