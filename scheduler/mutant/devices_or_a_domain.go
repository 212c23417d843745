package mutant

import (
	"slices"

	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "devices-or-a-domain",
		About:    "It finds no room for a group that wants devices and one domain at once.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-026"},
		fault: func() *control.Fault {
			held := map[engine.Key]bool{}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) { held[keyOf(g)] = g.Spec.SchedulingConstraints != nil },
				Decision: func(d *engine.Decision) {
					if held[d.Root.Key] && slices.ContainsFunc(d.Placements, func(p engine.Placement) bool { return len(p.Devices) > 0 }) {
						unplace(d)
					}
				},
			}
		},
	})
}
