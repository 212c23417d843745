package mutant

import (
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "composite-anywhere",
		About:    "It enforces the topology constraints of PodGroups, but not those of composites.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-024", "CPG-025", "CPG-031", "CPG-039"},
		May:      []string{"INV-002", "INV-010"},
		fault: func() *control.Fault {
			return &control.Fault{Composite: func(g *schedulingv1alpha3.CompositePodGroup) {
				g.Spec.SchedulingConstraints = nil
			}}
		},
	})
}
