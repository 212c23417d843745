package mutant

import (
	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "no-grace",
		About:    "It gives victims no time to end.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-064"},
		fault: func() *control.Fault {
			grace := int64(0)
			return &control.Fault{Grace: &grace}
		},
	})
}
