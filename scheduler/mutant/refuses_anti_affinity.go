package mutant

import (
	corev1 "k8s.io/api/core/v1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "refuses-anti-affinity",
		About:    "It does not place pods of a group that have required anti-affinity at all.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-040"},
		May:      []string{"INV-004"},
		fault: func() *control.Fault {
			return &control.Fault{Pod: func(p *corev1.Pod) {
				a := p.Spec.Affinity
				if _, ok := groupOf(p); ok && p.Spec.NodeName == "" && a != nil && a.PodAntiAffinity != nil {
					p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "refused"}}
				}
			}}
		},
	})
}
