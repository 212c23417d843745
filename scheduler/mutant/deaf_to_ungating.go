package mutant

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "deaf-to-ungating",
		About:    "It does not notice that the scheduling gate of a pod has been removed.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-019", "INV-004"},
		fault: func() *control.Fault {
			gated := map[types.UID]bool{}
			return &control.Fault{Pod: func(p *corev1.Pod) {
				gated[p.UID] = gated[p.UID] || len(p.Spec.SchedulingGates) > 0
				if gated[p.UID] && p.Spec.NodeName == "" {
					p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "remembered"}}
				}
			}}
		},
	})
}
