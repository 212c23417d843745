package mutant

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "closes-disrupted-groups",
		About:    "It places no further member of a group that has had a member preempted.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-067"},
		May:      []string{"INV-004", "INV-007"},
		fault: func() *control.Fault {
			closed := map[engine.Key]bool{}
			return &control.Fault{
				Pod: func(p *corev1.Pod) {
					k, ok := groupOf(p)
					if ok && slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
						return c.Type == corev1.DisruptionTarget && c.Reason == corev1.PodReasonPreemptionByScheduler
					}) {
						closed[k] = true
					}
				},
				Decision: func(d *engine.Decision) {
					if d.Root.Kind == engine.KindPodGroup && closed[d.Root.Key] {
						unplace(d)
					}
				},
			}
		},
	})
}
