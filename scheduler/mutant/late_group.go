package mutant

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "late-group",
		About:    "A group that appears some time after its first pods is never looked at.",
		Profiles: []string{gangs, basic},
		Kills:    []string{"GANG-010", "BASIC-002", "FIELD-003"},
		May:      []string{"INV-004", "INV-007"},
		fault: func() *control.Fault {
			const late = 500 * time.Millisecond
			first := map[engine.Key]time.Time{}
			lost := map[engine.Key]bool{}
			seen := map[engine.Key]bool{}
			return &control.Fault{
				Pod: func(p *corev1.Pod) {
					if k, ok := groupOf(p); ok && first[k].IsZero() {
						first[k] = time.Now()
					}
				},
				PodGroup: func(g *schedulingv1beta1.PodGroup) {
					k := keyOf(g)
					if !seen[k] {
						seen[k], lost[k] = true, !first[k].IsZero() && time.Since(first[k]) > late
					}
					if lost[k] {
						g.Spec.SchedulingPolicy.Basic = nil
						g.Spec.SchedulingPolicy.Gang = &schedulingv1beta1.GangSchedulingPolicy{MinCount: 1 << 20}
					}
				},
			}
		},
	})
}
