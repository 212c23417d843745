package mutant

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "starts-afresh",
		About:    "Only pods that it saw waiting, in this life, count as members of their gang: it does not go on where it was killed.",
		Profiles: []string{robust},
		Kills:    []string{"ROB-001", "ROB-014"},
		May:      []string{"INV-001", "INV-004", "INV-005"},
		fault: func() *control.Fault {
			waited := map[types.UID]bool{}
			return &control.Fault{Pod: func(p *corev1.Pod) {
				if p.Spec.NodeName == "" {
					waited[p.UID] = true
				} else if !waited[p.UID] {
					leaveGroup(p)
				}
			}}
		},
	})
}
