package mutant

import (
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/utils/ptr"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "disowns-other-priorities",
		About:    "It schedules a group by itself that is of another priority than its parent.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-012"},
		May:      []string{"INV-002"},
		fault: func() *control.Fault {
			ranks := map[engine.Key]int32{}
			return &control.Fault{
				Composite: func(g *schedulingv1alpha3.CompositePodGroup) { ranks[keyOf(g)] = ptr.Deref(g.Spec.Priority, 0) },
				PodGroup: func(g *schedulingv1beta1.PodGroup) {
					p := g.Spec.ParentCompositePodGroupName
					if p == nil {
						return
					}
					if rank, known := ranks[engine.Key{Namespace: g.Namespace, Name: *p}]; known && rank != ptr.Deref(g.Spec.Priority, 0) {
						g.Spec.ParentCompositePodGroupName = nil
					}
				},
			}
		},
	})
}
