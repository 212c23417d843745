package mutant

import (
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/types"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "reserves-all-for-the-group",
		About:    "It reserves every claim of a member for the group, also those that the group does not list.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-003"},
		fault: func() *control.Fault {
			groups, of := map[engine.Key]types.UID{}, map[types.UID]engine.Key{}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) { groups[keyOf(g)] = g.UID },
				Pod: func(p *corev1.Pod) {
					if k, ok := groupOf(p); ok {
						of[p.UID] = k
					}
				},
				Decision: func(d *engine.Decision) {
					for i := range d.Placements {
						p := &d.Placements[i]
						k, member := of[p.Pod.UID]
						if !member {
							continue
						}
						for j := range p.Devices {
							p.Devices[j].Consumer = resourcev1.ResourceClaimConsumerReference{
								APIGroup: schedulingv1beta1.GroupName, Resource: "podgroups", Name: k.Name, UID: groups[k]}
						}
					}
				},
			}
		},
	})
}
