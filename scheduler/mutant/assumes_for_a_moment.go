package mutant

import (
	"time"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:      "assumes-for-a-moment",
		About:     "It gives the room of a bind that takes longer than a quarter of a second to others.",
		Profiles:  []string{robust},
		Kills:     []string{"INV-003"},
		May:       []string{"ROB-001", "ROB-007", "ROB-008", "ROB-011", "INV-001", "INV-002", "INV-005"},
		Scenarios: []string{"robust-slow-api"},
		fault: func() *control.Fault {
			return &control.Fault{AssumeFor: 250 * time.Millisecond}
		},
	})
}
