package mutant

import (
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "trees-wait-to-be-refused",
		About:    "It places a tree of gangs only after it has once found no room for it.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-001"},
		May:      []string{"CPG-003", "CPG-004", "CPG-007", "CPG-008", "CPG-013", "CPG-014", "CPG-015", "CPG-018", "CPG-020", "CPG-024", "CPG-026", "CPG-027"},
		fault: func() *control.Fault {
			gang, refused := map[engine.Key]bool{}, map[engine.Root]bool{}
			return &control.Fault{
				Composite: func(g *schedulingv1alpha3.CompositePodGroup) { gang[keyOf(g)] = g.Spec.SchedulingPolicy.Gang != nil },
				Decision: func(d *engine.Decision) {
					switch {
					case d.Root.Kind != engine.KindComposite || !gang[d.Root.Key]:
					case d.Outcome == engine.Unschedulable:
						refused[d.Root] = true
					case !refused[d.Root]:
						unplace(d)
					}
				},
			}
		},
	})
}
