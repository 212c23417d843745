package mutant

import "muster/scheduler/control"

func init() {
	add(Mutant{
		Name:     "reads-before-it-leads",
		About:    "It reads the cluster while it stands by, and schedules by that when it has become the leader.",
		Profiles: []string{robust},
		Kills:    []string{"ROB-015", "INV-003"},
		May:      []string{"ROB-014", "INV-001", "INV-002", "INV-004", "INV-005"},
		fault: func() *control.Fault {
			return &control.Fault{Early: true}
		},
	})
}
