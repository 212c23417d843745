package mutant

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "moves-house-when-restarted",
		About:    "It places later members of a gang that ran when it was started in another domain than theirs.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-009"},
		May:      []string{"INV-002", "INV-010"},
		fault: func() *control.Fault {
			// What exists at the start is heard of in no order: a member may come before its group and before the nodes. So
			// which domain is left is for the engine to say, when it knows all of them.
			waited, stood := map[types.UID]bool{}, map[types.UID]bool{}
			return &control.Fault{
				Engine: engine.Fault{Leaves: func(p engine.PodRef) bool { return stood[p.UID] }},
				Pod: func(p *corev1.Pod) {
					if p.Spec.NodeName == "" {
						waited[p.UID] = true
					} else if !waited[p.UID] {
						stood[p.UID] = true
					}
				},
			}
		},
	})
}
