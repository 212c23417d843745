package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "holds-devices-while-waiting",
		About:    "It gives devices to the members that find some, and keeps them there until the gang is complete.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-010", "DRA-032"},
		fault: func() *control.Fault {
			quorum := map[engine.Key]int{}
			return &control.Fault{
				Engine: engine.Fault{PartialFit: true},
				PodGroup: func(g *schedulingv1beta1.PodGroup) {
					if p := g.Spec.SchedulingPolicy.Gang; p != nil {
						quorum[keyOf(g)] = int(p.MinCount)
					}
				},
				Hold: func(d *engine.Decision) bool {
					return d.Root.Kind == engine.KindPodGroup && len(d.Placements) < quorum[d.Root.Key]
				},
			}
		},
	})
}
