package mutant

import (
	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "gives-up-broken-gangs",
		About:    "It does not go on with a gang that lost a bound member before its quorum was bound.",
		Profiles: []string{robust},
		Kills:    []string{"ROB-007"},
		May:      []string{"INV-001", "INV-004", "INV-005"},
		fault: func() *control.Fault {
			quorum, broken := map[engine.Key]int{}, map[engine.Key]bool{}
			bound := map[engine.Key]map[string]bool{}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) {
					if gang := g.Spec.SchedulingPolicy.Gang; gang != nil {
						quorum[keyOf(g)] = int(gang.MinCount)
					}
				},
				GroupGone: func(g *schedulingv1beta1.PodGroup) bool {
					delete(broken, keyOf(g))
					delete(bound, keyOf(g))
					return true
				},
				Pod: func(p *corev1.Pod) {
					k, member := groupOf(p)
					if !member || p.Spec.NodeName == "" {
						return
					}
					if bound[k] == nil {
						bound[k] = map[string]bool{}
					}
					bound[k][p.Name] = true
				},
				PodGone: func(p *corev1.Pod) bool {
					k, member := groupOf(p)
					if member && bound[k][p.Name] && len(bound[k]) < quorum[k] {
						broken[k] = true
					}
					return true
				},
				Decision: func(d *engine.Decision) {
					if d.Root.Kind == engine.KindPodGroup && broken[d.Root.Key] {
						unplace(d)
					}
				},
			}
		},
	})
}
