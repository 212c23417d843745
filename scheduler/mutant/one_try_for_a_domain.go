package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "one-try-for-a-domain",
		About:    "It tries a group with a topology constraint no more once no domain had room for it.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-003", "TAS-024", "TAS-035"},
		May:      []string{"INV-004", "INV-007"},
		fault: func() *control.Fault {
			demands, lost := map[engine.Key]bool{}, map[engine.Key]bool{}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) { demands[keyOf(g)] = g.Spec.SchedulingConstraints != nil },
				Decision: func(d *engine.Decision) {
					k := d.Root.Key
					if d.Root.Kind != engine.KindPodGroup || !demands[k] {
						return
					}
					if d.Outcome == engine.Unschedulable {
						lost[k] = true
					}
					if lost[k] {
						unplace(d)
					}
				},
			}
		},
	})
}
