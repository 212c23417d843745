package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	const name = "quadratic-in-domains"
	slow[name] = Mutant{
		Name:     name,
		About:    "It counts the room of all domains of a constraint anew for each domain.",
		Profiles: []string{topology},
		fault: func() *control.Fault {
			return &control.Fault{Engine: engine.Fault{Quadratic: true}}
		},
	}
}
