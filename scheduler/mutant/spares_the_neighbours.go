package mutant

import (
	"slices"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "spares-the-neighbours",
		About:    "It evicts nobody outside the namespace of the preemptor.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-013"},
		fault: func() *control.Fault {
			return &control.Fault{Plan: func(p *engine.Plan) {
				if slices.ContainsFunc(p.Victims, func(v engine.PodRef) bool { return v.Namespace != p.Root.Namespace }) {
					noPlan(p)
				}
			}}
		},
	})
}
