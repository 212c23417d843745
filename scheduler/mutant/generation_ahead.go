package mutant

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "generation-ahead",
		About:    "Its conditions carry a generation that the group does not have yet.",
		Profiles: []string{conditions},
		Kills:    []string{"COND-005"},
		fault: func() *control.Fault {
			return &control.Fault{Condition: func(_ engine.Kind, c *metav1.Condition) bool {
				c.ObservedGeneration++
				return true
			}}
		},
	})
}
