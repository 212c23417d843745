package mutant

import (
	corev1 "k8s.io/api/core/v1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "blind-to-spread",
		About:    "It does not look at the topology spread constraints of pods that belong to a group.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-043"},
		fault: func() *control.Fault {
			return &control.Fault{Pod: func(p *corev1.Pod) {
				if _, ok := groupOf(p); ok {
					p.Spec.TopologySpreadConstraints = nil
				}
			}}
		},
	})
}
