package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "one-group-a-key",
		About:    "It places one group of a namespace only that demands a domain of a topology key.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-015", "TAS-016"},
		fault: func() *control.Fault {
			type claim struct{ namespace, key string }
			key, first := map[engine.Key]string{}, map[claim]engine.Key{}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) {
					if c := g.Spec.SchedulingConstraints; c != nil && len(c.Topology) > 0 {
						key[keyOf(g)] = c.Topology[0].Key
					}
				},
				Decision: func(d *engine.Decision) {
					if key[d.Root.Key] == "" || len(d.Placements) == 0 {
						return
					}
					c := claim{d.Root.Namespace, key[d.Root.Key]}
					if _, taken := first[c]; !taken {
						first[c] = d.Root.Key
					}
					if first[c] != d.Root.Key {
						unplace(d)
					}
				},
			}
		},
	})
}
