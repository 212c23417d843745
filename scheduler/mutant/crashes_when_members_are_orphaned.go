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
		Name:      "crashes-when-members-are-orphaned",
		About:     "It crashes when a group is deleted some members of which wait.",
		Profiles:  []string{gangs},
		Kills:     []string{"INV-008"},
		Scenarios: []string{"gang-group-deleted-and-recreated"},
		fault: func() *control.Fault {
			waiting := map[engine.Key]map[types.UID]bool{}
			return &control.Fault{
				Pod: func(p *corev1.Pod) {
					k, member := groupOf(p)
					switch {
					case !member:
					case p.Spec.NodeName != "" || p.DeletionTimestamp != nil:
						delete(waiting[k], p.UID)
					case waiting[k] == nil:
						waiting[k] = map[types.UID]bool{p.UID: true}
					default:
						waiting[k][p.UID] = true
					}
				},
				PodGone: func(p *corev1.Pod) bool {
					if k, member := groupOf(p); member {
						delete(waiting[k], p.UID)
					}
					return true
				},
				GroupGone: func(g *schedulingv1beta1.PodGroup) bool {
					if len(waiting[keyOf(g)]) > 0 {
						panic("the group " + keyOf(g).String() + " is gone, and its members wait")
					}
					return true
				},
			}
		},
	})
}
