package mutant

import (
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "blind-to-parents",
		About:    "It schedules every PodGroup by itself, whatever composite it belongs to.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-002"},
		fault: func() *control.Fault {
			return &control.Fault{
				PodGroup:  func(g *schedulingv1beta1.PodGroup) { g.Spec.ParentCompositePodGroupName = nil },
				Composite: func(g *schedulingv1alpha3.CompositePodGroup) { g.Spec.ParentCompositePodGroupName = nil },
			}
		},
	})
}
