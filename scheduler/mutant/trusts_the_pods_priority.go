package mutant

import (
	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "trusts-the-pods-priority",
		About:    "It does not notice that a member of a gang has another priority than its group.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-031"},
		fault: func() *control.Fault {
			priority := map[engine.Key]*int32{}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) { priority[keyOf(g)] = g.Spec.Priority },
				Pod: func(p *corev1.Pod) {
					if k, ok := groupOf(p); ok && priority[k] != nil {
						p.Spec.Priority = priority[k]
					}
				},
			}
		},
	})
}
