package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "refuses-trees-for-good",
		About:    "It never places a tree again that it has once found no room for.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-016"},
		fault: func() *control.Fault {
			refused := map[engine.Root]bool{}
			return &control.Fault{Decision: func(d *engine.Decision) {
				if d.Root.Kind != engine.KindComposite {
					return
				}
				if refused[d.Root] {
					unplace(d)
				} else if d.Outcome == engine.Unschedulable {
					refused[d.Root] = true
				}
			}}
		},
	})
}
