package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "evicts-for-ever",
		About:    "It evicts for a group over and over again, and never places it.",
		Profiles: []string{preemption},
		Kills:    []string{"FIELD-013"},
		May:      []string{"INV-004", "INV-006", "INV-011", "INV-014"},
		fault: func() *control.Fault {
			evicted := map[engine.Root]bool{}
			return &control.Fault{
				Unnominated: true,
				Decision: func(d *engine.Decision) {
					if evicted[d.Root] {
						unplace(d)
					}
				},
				Plan: func(p *engine.Plan) {
					if p.Kind == engine.Evict && p.Root.Kind == engine.KindPodGroup {
						evicted[p.Root] = true
					}
				},
			}
		},
	})
}
