package mutant

import (
	corev1 "k8s.io/api/core/v1"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "trees-forget-never",
		About:    "It preempts for trees whose policy is never to preempt.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-044"},
		fault: func() *control.Fault {
			return &control.Fault{
				Pod:       func(p *corev1.Pod) { p.Spec.PreemptionPolicy = nil },
				PodGroup:  func(g *schedulingv1beta1.PodGroup) { g.Spec.PreemptionPolicy = nil },
				Composite: func(g *schedulingv1alpha3.CompositePodGroup) { g.Spec.PreemptionPolicy = nil },
			}
		},
	})
}
