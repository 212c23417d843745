package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "priority-of-the-pod",
		About:    "It takes a member of a group for a victim by the priority of the pod instead of the group.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-027", "FIELD-012"},
		fault: func() *control.Fault {
			return &control.Fault{Engine: engine.Fault{PodPriority: true}}
		},
	})
}
