package mutant

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "composite-unsaid",
		About:    "It says nothing about composites, only about PodGroups.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-015", "CPG-010"},
		fault: func() *control.Fault {
			return &control.Fault{Condition: func(k engine.Kind, _ *metav1.Condition) bool { return k != engine.KindComposite }}
		},
	})
}
