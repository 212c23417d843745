package mutant

import (
	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "evicts-before-it-looks",
		About:    "It evicts a pod of lower priority for a group of high priority although the group fits without.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-004"},
		May:      []string{"INV-011", "INV-012", "INV-013", "INV-014"},
		fault: func() *control.Fault {
			type pod struct {
				ref      engine.PodRef
				priority int32
			}
			priority, running, tried := map[engine.Key]int32{}, map[engine.Key]pod{}, map[engine.Root]bool{}
			below := func(root engine.Root) []engine.PodRef {
				for k, p := range running {
					if k.Namespace == root.Namespace && p.priority < priority[root.Key] {
						return []engine.PodRef{p.ref}
					}
				}
				return nil
			}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) {
					if g.Spec.Priority != nil {
						priority[keyOf(g)] = *g.Spec.Priority
					}
				},
				Pod: func(p *corev1.Pod) {
					if _, member := groupOf(p); !member && p.Spec.NodeName != "" && p.Spec.Priority != nil {
						running[keyOf(p)] = pod{engine.PodRef{Key: keyOf(p), UID: p.UID}, *p.Spec.Priority}
					}
				},
				PodGone: func(p *corev1.Pod) bool {
					delete(running, keyOf(p))
					return true
				},
				Decision: func(d *engine.Decision) {
					if d.Root.Kind == engine.KindPodGroup && len(d.Placements) > 0 && !tried[d.Root] && len(below(d.Root)) > 0 {
						unplace(d)
					}
				},
				Plan: func(p *engine.Plan) {
					if p.Root.Kind == engine.KindPodGroup && !tried[p.Root] {
						if victims := below(p.Root); p.Kind != engine.Evict && len(victims) > 0 {
							p.Kind, p.Victims = engine.Evict, victims
						}
						tried[p.Root] = true
					}
				},
			}
		},
	})
}
