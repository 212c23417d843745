package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "soft-topology",
		About:    "It does not enforce the topology constraints of PodGroups.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-002", "TAS-003", "TAS-004", "TAS-024", "INV-002"},
		May:      []string{"INV-010"},
		fault: func() *control.Fault {
			return &control.Fault{PodGroup: func(g *schedulingv1beta1.PodGroup) { g.Spec.SchedulingConstraints = nil }}
		},
	})
}
