package mutant

import (
	corev1 "k8s.io/api/core/v1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "pinned-by-themselves",
		About:    "A pod that selects a node by its name it binds like one that belongs to no group.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-022"},
		May:      []string{"INV-002", "INV-010"},
		fault: func() *control.Fault {
			return &control.Fault{Pod: func(p *corev1.Pod) {
				if p.Spec.NodeSelector[corev1.LabelHostname] != "" {
					leaveGroup(p)
				}
			}}
		},
	})
}
