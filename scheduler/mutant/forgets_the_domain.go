package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "forgets-the-domain",
		About:    "It does not hold a group to the domain in which its members run.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-006", "TAS-007", "INV-010"},
		fault: func() *control.Fault {
			return &control.Fault{Engine: engine.Fault{StaysApart: true}}
		},
	})
}
