package mutant

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "only-bare-pods",
		About:    "It does not place pods of a group that a controller has made.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-064"},
		May:      []string{"INV-004"},
		fault: func() *control.Fault {
			return &control.Fault{Pod: func(p *corev1.Pod) {
				if _, ok := groupOf(p); ok && p.Spec.NodeName == "" && metav1.GetControllerOf(p) != nil {
					p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "refused"}}
				}
			}}
		},
	})
}
