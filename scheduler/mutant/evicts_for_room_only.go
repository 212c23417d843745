package mutant

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "evicts-for-room-only",
		About:    "It evicts nobody for pods with host ports or anti-affinity.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-048"},
		May:      []string{"INV-006"},
		fault: func() *control.Fault {
			hindered := map[engine.Key]bool{}
			return &control.Fault{
				Pod: func(p *corev1.Pod) {
					ports := slices.ContainsFunc(p.Spec.Containers, func(c corev1.Container) bool {
						return slices.ContainsFunc(c.Ports, func(p corev1.ContainerPort) bool { return p.HostPort != 0 })
					})
					if ports || p.Spec.Affinity != nil && p.Spec.Affinity.PodAntiAffinity != nil {
						hindered[keyOf(p)] = true
					}
				},
				Plan: func(p *engine.Plan) {
					if slices.ContainsFunc(p.Placements, func(pl engine.Placement) bool { return hindered[pl.Pod.Key] }) {
						noPlan(p)
					}
				},
			}
		},
	})
}
