package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "blank-domain",
		About:    "It takes the nodes without the label of a constraint for one more domain.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-005"},
		May:      []string{"INV-002", "INV-010"},
		fault: func() *control.Fault {
			return &control.Fault{Engine: engine.Fault{BlankDomain: true}}
		},
	})
}
