package mutant

import (
	corev1 "k8s.io/api/core/v1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "forgets-who-is-done",
		About:    "It does not count members of a gang that have succeeded, so that the last of them wait for company that never comes.",
		Profiles: []string{gangs},
		Kills:    []string{"JOB-027"},
		fault: func() *control.Fault {
			return &control.Fault{Pod: func(p *corev1.Pod) {
				if p.Status.Phase == corev1.PodSucceeded {
					p.Spec.SchedulingGroup = nil
				}
			}}
		},
	})
}
