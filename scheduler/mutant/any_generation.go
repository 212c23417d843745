package mutant

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "any-generation",
		About:    "Its conditions do not say which generation of the group they were decided on.",
		Profiles: []string{conditions},
		Kills:    []string{"COND-005"},
		fault: func() *control.Fault {
			return &control.Fault{Condition: func(_ engine.Kind, c *metav1.Condition) bool {
				c.ObservedGeneration = 0
				return true
			}}
		},
	})
}
