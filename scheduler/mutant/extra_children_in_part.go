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
		Name:     "extra-children-in-part",
		About:    "Children of a composite beyond as many as it needs it takes for basic groups.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-003"},
		May:      []string{"INV-001", "INV-002", "INV-005"},
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
						g.Spec.SchedulingPolicy.Gang.MinCount = 1
					}
				},
			}
		},
	})
}
