package mutant

import "muster/scheduler/control"

func init() {
	add(Mutant{
		Name:     "insists-on-the-node",
		About:    "It plans a pod for the same node again to which its bind has failed.",
		Profiles: []string{robust},
		Kills:    []string{"ROB-003"},
		May:      []string{"INV-001", "INV-004", "INV-005"},
		fault: func() *control.Fault {
			return &control.Fault{Trusting: true}
		},
	})
}
