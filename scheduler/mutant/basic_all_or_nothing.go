package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "basic-all-or-nothing",
		About:    "It binds the waiting members of a basic group only if there is room for all of them.",
		Profiles: []string{basic},
		Kills:    []string{"BASIC-003"},
		fault: func() *control.Fault {
			isBasic := map[engine.Key]bool{}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) { isBasic[keyOf(g)] = g.Spec.SchedulingPolicy.Basic != nil },
				Decision: func(d *engine.Decision) {
					if d.Root.Kind == engine.KindPodGroup && isBasic[d.Root.Key] && len(d.Left) > 0 {
						unplace(d)
					}
				},
			}
		},
	})
}
