package mutant

import (
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "looks-two-levels-up",
		About:    "It does not look higher than two composites above a group: what is left out above it does not count.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-009", "CPG-010", "CPG-011"},
		May:      []string{"INV-002"},
		fault: func() *control.Fault {
			parents := map[engine.Key]string{}
			return &control.Fault{Composite: func(g *schedulingv1alpha3.CompositePodGroup) {
				p := g.Spec.ParentCompositePodGroupName
				if p == nil {
					return
				}
				parents[keyOf(g)] = *p
				if parents[engine.Key{Namespace: g.Namespace, Name: *p}] != "" {
					g.Spec.ParentCompositePodGroupName = nil
				}
			}}
		},
	})
}
