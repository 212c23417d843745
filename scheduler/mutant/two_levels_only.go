package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "two-levels-only",
		About:    "It does not place trees in which a composite stands below another.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-007", "CPG-008", "CPG-018"},
		May:      []string{"INV-004", "INV-007"},
		fault: func() *control.Fault {
			return &control.Fault{Decision: func(d *engine.Decision) {
				composites := 0
				for _, g := range d.Groups {
					if g.Kind == engine.KindComposite {
						composites++
					}
				}
				if composites > 1 {
					unplace(d)
				}
			}}
		},
	})
}
