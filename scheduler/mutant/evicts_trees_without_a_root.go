package mutant

import (
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "evicts-trees-without-a-root",
		About:    "It evicts the pods of a composite group that is deleted.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-023"},
		May:      []string{"INV-011"},
		fault: func() *control.Fault {
			f := &control.Fault{}
			l := ledgerIn(f)
			parent := map[engine.Key]string{}
			keep := f.PodGroup
			f.PodGroup = func(g *schedulingv1beta1.PodGroup) {
				keep(g)
				if p := g.Spec.ParentCompositePodGroupName; p != nil {
					parent[keyOf(g)] = *p
				}
			}
			f.CompositeGone = func(c *schedulingv1alpha3.CompositePodGroup) bool {
				for r, p := range l.pods {
					if k, member := groupOf(p); member && p.Namespace == c.Namespace && parent[k] == c.Name {
						l.evict(r)
					}
				}
				return true
			}
			return f
		},
	})
}
