package mutant

import (
	corev1 "k8s.io/api/core/v1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "evicts-the-survivors",
		About:    "When a running gang loses a member it evicts the members that are left.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-062"},
		fault: func() *control.Fault {
			running := map[engine.Key]map[engine.PodRef]bool{}
			return &control.Fault{
				Pod: func(p *corev1.Pod) {
					k, ok := groupOf(p)
					if !ok || p.Spec.NodeName == "" {
						return
					}
					if running[k] == nil {
						running[k] = map[engine.PodRef]bool{}
					}
					running[k][engine.PodRef{Key: keyOf(p), UID: p.UID}] = true
				},
				Survivors: func(gone *corev1.Pod) []engine.PodRef {
					k, _ := groupOf(gone)
					self := engine.PodRef{Key: keyOf(gone), UID: gone.UID}
					if !running[k][self] {
						return nil
					}
					var rest []engine.PodRef
					for p := range running[k] {
						if p != self {
							rest = append(rest, p)
						}
					}
					delete(running, k)
					return rest
				},
			}
		},
	})
}
