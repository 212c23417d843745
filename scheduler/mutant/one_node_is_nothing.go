package mutant

import (
	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "one-node-is-nothing",
		About:    "It does not enforce a constraint to one host name.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-019"},
		May:      []string{"TAS-018", "INV-002", "INV-010"},
		fault: func() *control.Fault {
			return &control.Fault{PodGroup: func(g *schedulingv1beta1.PodGroup) {
				if c := g.Spec.SchedulingConstraints; c != nil && len(c.Topology) > 0 && c.Topology[0].Key == corev1.LabelHostname {
					g.Spec.SchedulingConstraints = nil
				}
			}}
		},
	})
}
