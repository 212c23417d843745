package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/types"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "keeps-the-old-policy",
		About:    "A group that was deleted and created again is scheduled by the policy of its first object.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-060"},
		May:      []string{"INV-004"},
		fault: func() *control.Fault {
			type memory struct {
				uid    types.UID
				policy schedulingv1beta1.PodGroupSchedulingPolicy
			}
			first := map[engine.Key]memory{}
			return &control.Fault{PodGroup: func(g *schedulingv1beta1.PodGroup) {
				was, known := first[keyOf(g)]
				if known && was.uid != g.UID {
					g.Spec.SchedulingPolicy = *was.policy.DeepCopy()
					return
				}
				first[keyOf(g)] = memory{g.UID, *g.Spec.SchedulingPolicy.DeepCopy()}
			}}
		},
	})
}
