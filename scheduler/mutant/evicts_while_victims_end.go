package mutant

import (
	corev1 "k8s.io/api/core/v1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "evicts-while-victims-end",
		About:    "When it hears of a new pod while the victims of a gang are ending, it evicts one more for the gang.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-011"},
		May:      []string{"PRE-069", "INV-011", "INV-013"},
		fault: func() *control.Fault {
			f := &control.Fault{}
			l := ledgerIn(f)
			hoping := map[engine.Root]map[engine.PodRef]bool{} // and for whose end
			f.Plan = func(p *engine.Plan) {
				if p.Kind != engine.Evict || p.Root.Kind != engine.KindPodGroup {
					return
				}
				hoping[p.Root] = map[engine.PodRef]bool{}
				for _, v := range p.Victims {
					hoping[p.Root][v] = true
				}
			}
			f.Decision = func(d *engine.Decision) {
				if len(d.Placements) > 0 {
					delete(hoping, d.Root)
				}
			}
			known := map[engine.PodRef]bool{}
			keep := f.Pod
			f.Pod = func(p *corev1.Pod) {
				keep(p)
				self := engine.PodRef{Key: keyOf(p), UID: p.UID}
				fresh := !known[self]
				if known[self] = true; !fresh || p.Spec.NodeName != "" {
					return
				}
				for root, victims := range hoping {
					if root.Namespace != p.Namespace || len(victims) == 0 {
						continue
					}
					if v, ok := l.below(root.Namespace, l.priority[root.Key], func(r engine.PodRef) bool { return victims[r] }); ok {
						l.evict(v)
						victims[v] = true
					}
				}
			}
			return f
		},
	})
}
