package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/utils/ptr"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "evicts-a-second-wave",
		About:    "While the victims of a group are ending, it evicts as many again.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-011"},
		May:      []string{"INV-011", "INV-013", "INV-014"},
		fault: func() *control.Fault {
			running := runners{}
			priority := map[engine.Key]int32{}
			evicted := map[engine.Root]bool{}
			return &control.Fault{
				Pod:      running.hear,
				PodGone:  running.gone,
				PodGroup: func(g *schedulingv1beta1.PodGroup) { priority[keyOf(g)] = ptr.Deref(g.Spec.Priority, 0) },
				Plan: func(p *engine.Plan) {
					switch {
					case p.Root.Kind != engine.KindPodGroup:
					case p.Kind == engine.Evict:
						evicted[p.Root] = true
					case p.Kind == engine.Wait && evicted[p.Root]:
						if more := running.below(p.Root.Namespace, priority[p.Root.Key], len(p.Placements)); len(more) > 0 {
							p.Kind, p.Kept, p.Victims = engine.Evict, false, more
						}
					}
				},
			}
		},
	})
}
