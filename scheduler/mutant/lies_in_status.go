package mutant

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "lies-in-status",
		About:    "It says of a group that it has been scheduled when it could not be.",
		Profiles: []string{conditions},
		Kills:    []string{"COND-002", "COND-003", "INV-005"},
		May:      []string{"INV-004"},
		fault: func() *control.Fault {
			return &control.Fault{Condition: func(_ engine.Kind, c *metav1.Condition) bool {
				c.Status = metav1.ConditionTrue
				return true
			}}
		},
	})
}
