package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "newcomers-first",
		About:    "It lets pods of lower priority take the room that was made for a group, looks at them first, and makes room only once.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-062", "PRE-069", "INV-006"},
		May:      []string{"PRE-011", "INV-013", "INV-014"},
		fault: func() *control.Fault {
			made := map[engine.Root]bool{}
			return &control.Fault{Unnominated: true, LowestFirst: true, Plan: func(p *engine.Plan) {
				switch {
				case p.Kind != engine.Evict:
				case made[p.Root]:
					noPlan(p)
				default:
					made[p.Root] = true
				}
			}}
		},
	})
}
