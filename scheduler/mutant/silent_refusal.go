package mutant

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "silent-refusal",
		About:    "It never says that a group cannot be scheduled.",
		Profiles: []string{conditions},
		Kills:    []string{"COND-002", "COND-003"},
		May:      []string{"INV-004"},
		fault: func() *control.Fault {
			return &control.Fault{Condition: func(_ engine.Kind, c *metav1.Condition) bool {
				return c.Status == metav1.ConditionTrue
			}}
		},
	})
}
