package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "forgets-latecomers",
		About:    "It has no eye for members that come after the quorum of their gang was bound.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-006"},
		fault: func() *control.Fault {
			quorum := map[engine.Key]int{}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) {
					if gang := g.Spec.SchedulingPolicy.Gang; gang != nil {
						quorum[keyOf(g)] = int(gang.MinCount)
					}
				},
				// The condition of the group may be written later than a late member comes; what is bound is known at once.
				Decision: func(d *engine.Decision) {
					most, ok := quorum[d.Root.Key]
					if ok && d.Root.Kind == engine.KindPodGroup && len(d.Groups) > 0 && d.Groups[0].Bound >= most {
						unplace(d)
					}
				},
			}
		},
	})
}
