package mutant

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "blind-to-volumes",
		About:    "It does not look at the volume claims of pods that belong to a group.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-042"},
		May:      []string{"INV-002"},
		fault: func() *control.Fault {
			return &control.Fault{Pod: func(p *corev1.Pod) {
				if _, ok := groupOf(p); ok {
					p.Spec.Volumes = slices.DeleteFunc(p.Spec.Volumes, func(v corev1.Volume) bool { return v.PersistentVolumeClaim != nil })
				}
			}}
		},
	})
}
