package mutant

import (
	corev1 "k8s.io/api/core/v1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "trees-without-budgets",
		About:    "It does not see that a disruption budget protects the pods of a tree.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-042"},
		May:      []string{"CPG-043"},
		fault: func() *control.Fault {
			return &control.Fault{Pod: func(p *corev1.Pod) {
				if p.Spec.SchedulingGroup != nil {
					p.Labels = nil
				}
			}}
		},
	})
}
