package mutant

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "reason-of-its-own",
		About:    "It says why a group cannot be scheduled by a reason that the API does not document.",
		Profiles: []string{conditions},
		Kills:    []string{"COND-002", "COND-003"},
		May:      []string{"INV-004"},
		fault: func() *control.Fault {
			return &control.Fault{Condition: func(_ engine.Kind, c *metav1.Condition) bool {
				if c.Status == metav1.ConditionFalse {
					c.Reason = "NoLuck"
				}
				return true
			}}
		},
	})
}
