package mutant

import (
	"math"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "ending-pods-never-end",
		About:    "It does not count on pods that are ending, and evicts others in their stead.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-011"},
		May:      []string{"PRE-062", "INV-011", "INV-012", "INV-013", "INV-014"},
		fault: func() *control.Fault {
			return &control.Fault{Pod: func(p *corev1.Pod) {
				if p.DeletionTimestamp != nil && p.Spec.NodeName != "" {
					p.DeletionTimestamp, p.Spec.Priority = nil, ptr.To[int32](math.MaxInt32)
				}
			}}
		},
	})
}
