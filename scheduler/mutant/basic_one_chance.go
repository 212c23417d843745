package mutant

import (
	"slices"

	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "basic-one-chance",
		About:    "It does not try a member of a basic group again that has found no room once.",
		Profiles: []string{basic},
		Kills:    []string{"BASIC-003", "INV-007"},
		fault: func() *control.Fault {
			isBasic := map[engine.Key]bool{}
			missed := map[engine.PodRef]bool{}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) { isBasic[keyOf(g)] = g.Spec.SchedulingPolicy.Basic != nil },
				Decision: func(d *engine.Decision) {
					if d.Root.Kind != engine.KindPodGroup || !isBasic[d.Root.Key] {
						return
					}
					if slices.ContainsFunc(d.Placements, func(p engine.Placement) bool { return missed[p.Pod] }) {
						unplace(d)
						return
					}
					for _, l := range d.Left {
						missed[l.Pod] = true
					}
				},
			}
		},
	})
}
