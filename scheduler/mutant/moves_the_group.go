package mutant

import (
	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "moves-the-group",
		About:    "It evicts the running members of a group when a later one finds no room in their domain.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-028"},
		May:      []string{"INV-004", "INV-006", "INV-011", "INV-012", "INV-013", "INV-014"},
		fault: func() *control.Fault {
			held, running := map[engine.Key]bool{}, map[engine.Key]map[engine.PodRef]bool{}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) { held[keyOf(g)] = g.Spec.SchedulingConstraints != nil },
				Pod: func(p *corev1.Pod) {
					k, member := groupOf(p)
					if !member || p.Spec.NodeName == "" {
						return
					}
					if running[k] == nil {
						running[k] = map[engine.PodRef]bool{}
					}
					running[k][engine.PodRef{Key: keyOf(p), UID: p.UID}] = p.DeletionTimestamp == nil
				},
				Plan: func(p *engine.Plan) {
					if p.Kind != engine.NoPlan || !held[p.Root.Key] {
						return
					}
					for pod, still := range running[p.Root.Key] {
						if still {
							p.Kind, p.Victims = engine.Evict, append(p.Victims, pod)
						}
					}
				},
			}
		},
	})
}
