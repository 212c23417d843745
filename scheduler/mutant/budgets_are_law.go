package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "budgets-are-law",
		About:    "It evicts nobody where that would violate a disruption budget.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-051"},
		fault: func() *control.Fault {
			return &control.Fault{Plan: func(p *engine.Plan) {
				if p.Cost.Violations > 0 {
					noPlan(p)
				}
			}}
		},
	})
}
