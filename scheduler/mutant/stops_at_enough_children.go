package mutant

import (
	"slices"

	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "stops-at-enough-children",
		About:    "It does not place the children of a composite beyond as many as the composite needs.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-004", "CPG-013", "CPG-020", "CPG-031"},
		May:      []string{"INV-004", "INV-007"},
		fault: func() *control.Fault {
			enough := map[engine.Key]int{}
			children := map[engine.Key][]string{}
			return &control.Fault{
				Composite: func(g *schedulingv1alpha3.CompositePodGroup) {
					if gang := g.Spec.SchedulingPolicy.Gang; gang != nil {
						enough[keyOf(g)] = int(gang.MinGroupCount)
					}
				},
				PodGroup: func(g *schedulingv1beta1.PodGroup) {
					p := g.Spec.ParentCompositePodGroupName
					if p == nil || g.Spec.SchedulingPolicy.Gang == nil {
						return
					}
					k := engine.Key{Namespace: g.Namespace, Name: *p}
					if !slices.Contains(children[k], g.Name) {
						children[k] = append(children[k], g.Name)
					}
					if n := enough[k]; n > 0 && slices.Index(children[k], g.Name) >= n {
						g.Spec.SchedulingPolicy.Gang.MinCount = 1 << 20
					}
				},
			}
		},
	})
}
