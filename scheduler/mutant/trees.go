package mutant

import (
	"slices"

	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

// optionalChildrenNeed gives the gangs of a composite beyond as many as it needs, in the order they were heard of, a quorum
// of their own.
func optionalChildrenNeed(quorum int32) func() *control.Fault {
	return func() *control.Fault {
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
					g.Spec.SchedulingPolicy.Gang.MinCount = quorum
				}
			},
		}
	}
}

// orphans makes composites roots by what is known of their grandparent: its name, empty where it has none.
func orphans(when func(g *schedulingv1alpha3.CompositePodGroup, grandparent string) bool) func() *control.Fault {
	return func() *control.Fault {
		parents := map[engine.Key]string{}
		return &control.Fault{Composite: func(g *schedulingv1alpha3.CompositePodGroup) {
			p := g.Spec.ParentCompositePodGroupName
			if p == nil {
				return
			}
			parents[keyOf(g)] = *p
			if when(g, parents[engine.Key{Namespace: g.Namespace, Name: *p}]) {
				g.Spec.ParentCompositePodGroupName = nil
			}
		}}
	}
}
