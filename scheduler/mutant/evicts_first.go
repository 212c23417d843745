package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/utils/ptr"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "evicts-first",
		About:    "Before it places a gang it evicts a pod of lower priority of its namespace, needed or not.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-004"},
		May:      []string{"INV-011", "INV-013"},
		fault: func() *control.Fault {
			running := runners{}
			priority := map[engine.Key]int32{}
			tried := map[engine.Root]bool{}
			return &control.Fault{
				Pod:      running.hear,
				PodGone:  running.gone,
				PodGroup: func(g *schedulingv1beta1.PodGroup) { priority[keyOf(g)] = ptr.Deref(g.Spec.Priority, 0) },
				Decision: func(d *engine.Decision) {
					if d.Root.Kind == engine.KindPodGroup && d.Outcome == engine.Placed && !tried[d.Root] {
						unplace(d)
					}
				},
				Plan: func(p *engine.Plan) {
					if tried[p.Root] || p.Root.Kind != engine.KindPodGroup {
						return
					}
					tried[p.Root] = true
					if p.Kind == engine.Evict {
						return
					}
					p.Kind, p.Kept, p.Victims = engine.Evict, false, running.below(p.Root.Namespace, priority[p.Root.Key], 1)
					if len(p.Victims) == 0 {
						noPlan(p)
					}
				},
			}
		},
	})
}
