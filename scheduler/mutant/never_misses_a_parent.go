package mutant

import (
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "never-misses-a-parent",
		About:    "It takes a composite for a root when its parent does not exist yet.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-017"},
		May:      []string{"INV-002"},
		fault: func() *control.Fault {
			seen := map[engine.Key]bool{}
			return &control.Fault{Composite: func(g *schedulingv1alpha3.CompositePodGroup) {
				seen[keyOf(g)] = true
				if p := g.Spec.ParentCompositePodGroupName; p != nil && !seen[engine.Key{Namespace: g.Namespace, Name: *p}] {
					g.Spec.ParentCompositePodGroupName = nil
				}
			}}
		},
	})
}
