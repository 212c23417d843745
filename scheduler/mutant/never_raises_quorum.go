package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/types"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "never-raises-quorum",
		About:    "It goes on asking for the smallest minCount that a gang has ever had.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-015", "FIELD-005"},
		fault: func() *control.Fault {
			least := map[types.UID]int32{}
			return &control.Fault{PodGroup: func(g *schedulingv1beta1.PodGroup) {
				if gang := g.Spec.SchedulingPolicy.Gang; gang != nil {
					if n, known := least[g.UID]; !known || gang.MinCount < n {
						least[g.UID] = gang.MinCount
					}
					gang.MinCount = least[g.UID]
				}
			}}
		},
	})
}
