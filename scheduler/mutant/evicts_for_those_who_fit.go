package mutant

import (
	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "evicts-for-those-who-fit",
		About:    "It evicts a pod of lower priority also for a gang that fits beside it.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-004"},
		May:      []string{"INV-011"},
		fault: func() *control.Fault {
			f := &control.Fault{}
			l := ledgerIn(f)
			tried := map[engine.Root]bool{}
			f.Decision = func(d *engine.Decision) {
				if d.Root.Kind != engine.KindPodGroup || d.Outcome != engine.Placed && d.Outcome != engine.Unschedulable || tried[d.Root] {
					return
				}
				tried[d.Root] = true
				if d.Outcome != engine.Placed {
					return
				}
				if p, ok := l.below(d.Root.Namespace, l.priority[d.Root.Key], nil); ok {
					l.evict(p)
				}
			}
			return f
		},
	})
}
