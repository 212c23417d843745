package mutant

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "takes-its-superiors",
		About:    "It takes every pod of its own that runs for less important than whoever waits.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-002", "PRE-045"},
		May:      []string{"INV-011", "INV-014"},
		fault: func() *control.Fault {
			const least = -1 << 30
			return &control.Fault{Pod: func(p *corev1.Pod) {
				if _, ok := groupOf(p); !ok && p.Spec.NodeName != "" {
					p.Spec.Priority = ptr.To[int32](least)
				}
			}}
		},
	})
}
