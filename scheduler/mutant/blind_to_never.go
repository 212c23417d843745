package mutant

import (
	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "blind-to-never",
		About:    "It preempts for groups and pods whose policy is never to preempt.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-008", "PRE-009", "PRE-016", "PRE-072"},
		// Whom it evicts for those who never preempt is not there any more for one who does.
		May: []string{"PRE-010"},
		fault: func() *control.Fault {
			return &control.Fault{
				Pod:      func(p *corev1.Pod) { p.Spec.PreemptionPolicy = nil },
				PodGroup: func(g *schedulingv1beta1.PodGroup) { g.Spec.PreemptionPolicy = nil },
			}
		},
	})
}
