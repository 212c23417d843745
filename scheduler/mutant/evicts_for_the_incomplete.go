package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "evicts-for-the-incomplete",
		About:    "It evicts for a gang already when one member of its quorum is still missing.",
		Profiles: []string{preemption},
		Kills:    []string{"PRE-005"},
		May:      []string{"INV-011", "INV-014"},
		fault: func() *control.Fault {
			quorum := map[engine.Key]int{}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) {
					if gang := g.Spec.SchedulingPolicy.Gang; gang != nil && gang.MinCount > 1 {
						quorum[keyOf(g)] = int(gang.MinCount)
						gang.MinCount--
					}
				},
				Decision: func(d *engine.Decision) {
					if need := quorum[d.Root.Key]; d.Root.Kind == engine.KindPodGroup && len(d.Groups) > 0 && d.Groups[0].Bound+len(d.Placements) < need {
						unplace(d)
					}
				},
			}
		},
	})
}
