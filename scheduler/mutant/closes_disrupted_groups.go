package mutant

import (
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
			groups := map[engine.Key]engine.Key{}
			return &control.Fault{
				Pod: func(p *corev1.Pod) {
					if k, ok := groupOf(p); ok {
						groups[keyOf(p)] = k
					}
				},
				Plan: func(p *engine.Plan) {
					for _, v := range p.Victims {
						if k, ok := groups[v.Key]; ok {
							closed[k] = true
						}
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
