package mutant

import (
	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/types"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "moves-house-when-restarted",
		About:    "It places later members of a gang that ran when it was started in another domain than theirs.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-009"},
		May:      []string{"INV-002", "INV-010"},
		fault: func() *control.Fault {
			labels := map[string]map[string]string{} // of nodes
			constraint := map[engine.Key]string{}
			waited := map[types.UID]bool{}
			stood := map[engine.Key]string{} // where a member stood that was not seen waiting
			return &control.Fault{
				Node: func(n *corev1.Node) { labels[n.Name] = n.Labels },
				PodGroup: func(g *schedulingv1beta1.PodGroup) {
					if c := g.Spec.SchedulingConstraints; c != nil && len(c.Topology) > 0 {
						constraint[keyOf(g)] = c.Topology[0].Key
					}
				},
				Pod: func(p *corev1.Pod) {
					k, member := groupOf(p)
					key := constraint[k]
					switch {
					case !member:
					case p.Spec.NodeName != "" && !waited[p.UID]:
						stood[k] = p.Spec.NodeName
					case p.Spec.NodeName == "":
						waited[p.UID] = true
						if home := labels[stood[k]][key]; key != "" && home != "" {
							leaveGroup(p)
							elsewhere(p, key, home)
						}
					}
				},
			}
		},
	})
}

// elsewhere has a pod ask for a node on which a label has another value.
func elsewhere(p *corev1.Pod, key, value string) {
	other := corev1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpNotIn, Values: []string{value}}
	p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{other}}}}}}
}
