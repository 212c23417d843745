package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/types"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "never-lowers-quorum",
		About:    "It goes on asking for the largest minCount that a gang has ever had.",
		Profiles: []string{gangs, composite},
		Kills:    []string{"GANG-012", "GANG-013", "CPG-051"},
		May:      []string{"INV-004"},
		fault: func() *control.Fault {
			most := map[types.UID]int32{}
			return &control.Fault{PodGroup: func(g *schedulingv1beta1.PodGroup) {
				if gang := g.Spec.SchedulingPolicy.Gang; gang != nil {
					most[g.UID] = max(most[g.UID], gang.MinCount)
					gang.MinCount = most[g.UID]
				}
			}}
		},
	})
}
