package mutant

import (
	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "one-node-gangs",
		About:    "It places a gang without a topology constraint on one node, or not at all.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-020"},
		May:      []string{"INV-004", "INV-007"},
		fault: func() *control.Fault {
			return &control.Fault{PodGroup: func(g *schedulingv1beta1.PodGroup) {
				if g.Spec.SchedulingConstraints == nil {
					g.Spec.SchedulingConstraints = &schedulingv1beta1.PodGroupSchedulingConstraints{
						Topology: []schedulingv1beta1.TopologyConstraint{{Key: corev1.LabelHostname}}}
				}
			}}
		},
	})
}
