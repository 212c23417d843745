package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "evicts-in-every-domain",
		About:    "Where it preempts for a group or tree it evicts in all domains, not only in the one it wants.",
		Profiles: []string{topology, composite},
		Kills:    []string{"TAS-031", "CPG-049"},
		May:      []string{"INV-011", "INV-013"},
		fault: func() *control.Fault {
			return &control.Fault{Engine: engine.Fault{AllVictims: true}}
		},
	})
}
