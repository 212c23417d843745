package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "first-domain-only",
		About:    "Of the domains of a constraint it only ever tries the first by name.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-023"},
		fault: func() *control.Fault {
			return &control.Fault{Engine: engine.Fault{FirstDomain: true}}
		},
	})
}
