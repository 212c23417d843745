package mutant

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "evicts-for-ever",
		About:    "It evicts for a group over and over again, and never places it.",
		Profiles: []string{preemption},
		Kills:    []string{"FIELD-013", "INV-014"},
		May:      []string{"INV-004", "INV-006", "INV-011"},
		fault: func() *control.Fault {
			f := &control.Fault{Unnominated: true}
			l := ledgerIn(f)
			evicted := map[engine.Root]bool{}
			f.Decision = func(d *engine.Decision) {
				if evicted[d.Root] {
					unplace(d)
				}
			}
			f.Plan = func(p *engine.Plan) {
				if p.Kind == engine.Evict && p.Root.Kind == engine.KindPodGroup {
					evicted[p.Root] = true
				}
			}
			keep := f.Pod
			f.Pod = func(p *corev1.Pod) {
				keep(p)
				if p.Spec.NodeName == "" || p.DeletionTimestamp != nil {
					return
				}
				for root := range evicted {
					if root.Namespace == p.Namespace && ptr.Deref(p.Spec.Priority, 0) < l.priority[root.Key] {
						l.evict(engine.PodRef{Key: keyOf(p), UID: p.UID})
					}
				}
			}
			return f
		},
	})
}
