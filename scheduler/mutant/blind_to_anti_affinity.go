package mutant

import (
	corev1 "k8s.io/api/core/v1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "blind-to-anti-affinity",
		About:    "It does not look at the required anti-affinity of pods that belong to a group.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-041", "INV-002"},
		fault: func() *control.Fault {
			return &control.Fault{Pod: func(p *corev1.Pod) {
				if _, ok := groupOf(p); ok && p.Spec.Affinity != nil {
					p.Spec.Affinity.PodAntiAffinity = nil
				}
			}}
		},
	})
}
