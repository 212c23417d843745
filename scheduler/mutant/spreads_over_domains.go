package mutant

import (
	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "spreads-over-domains",
		About:    "It spreads the members of a group over the domains of the constraint that is to keep them in one.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-001", "TAS-015", "TAS-017", "TAS-018", "TAS-021", "INV-002"},
		May:      []string{"TAS-019", "INV-010"},
		fault: func() *control.Fault {
			return spreading(func(*schedulingv1beta1.PodGroup) bool { return true })
		},
	})
}

// spreading takes the constraint of such groups for one that asks for the opposite: their members are spread over its domains. One
// that only forgot the constraint would put them into one domain as often as nodes happen to be told of in that order.
func spreading(which func(*schedulingv1beta1.PodGroup) bool) *control.Fault {
	key := map[engine.Key]string{}
	return &control.Fault{
		PodGroup: func(g *schedulingv1beta1.PodGroup) {
			if !which(g) {
				return
			}
			if c := g.Spec.SchedulingConstraints; c != nil && len(c.Topology) > 0 {
				key[keyOf(g)] = c.Topology[0].Key
			}
			g.Spec.SchedulingConstraints = nil
		},
		Pod: func(p *corev1.Pod) {
			k, member := groupOf(p)
			if !member || key[k] == "" {
				return
			}
			group := map[string]string{"muster.dev/spread": k.Name}
			if p.Labels == nil {
				p.Labels = map[string]string{}
			}
			p.Labels["muster.dev/spread"] = k.Name
			p.Spec.TopologySpreadConstraints = append(p.Spec.TopologySpreadConstraints, corev1.TopologySpreadConstraint{
				MaxSkew: 1, TopologyKey: key[k], WhenUnsatisfiable: corev1.DoNotSchedule,
				LabelSelector: &metav1.LabelSelector{MatchLabels: group}})
		},
	}
}
