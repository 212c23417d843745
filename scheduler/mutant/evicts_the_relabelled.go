package mutant

import (
	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "evicts-the-relabelled",
		About:    "It evicts the members of a group from a node that is moved to another domain.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-028"},
		May:      []string{"INV-011"},
		fault: func() *control.Fault {
			f := &control.Fault{}
			l := ledgerIn(f)
			constraint, before := map[engine.Key]string{}, map[string]map[string]string{}
			keep := f.PodGroup
			f.PodGroup = func(g *schedulingv1beta1.PodGroup) {
				keep(g)
				if c := g.Spec.SchedulingConstraints; c != nil && len(c.Topology) > 0 {
					constraint[keyOf(g)] = c.Topology[0].Key
				}
			}
			f.Node = func(n *corev1.Node) {
				was, known := before[n.Name]
				before[n.Name] = n.Labels
				if !known {
					return
				}
				for r, p := range l.pods {
					k, member := groupOf(p)
					if key := constraint[k]; member && p.Spec.NodeName == n.Name && key != "" && was[key] != n.Labels[key] {
						l.evict(r)
					}
				}
			}
			return f
		},
	})
}
