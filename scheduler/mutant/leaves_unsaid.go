package mutant

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "leaves-unsaid",
		About:    "It says nothing about PodGroups below a composite, nor about others, only about composites.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-014"},
		fault: func() *control.Fault {
			return &control.Fault{Condition: func(k engine.Kind, _ *metav1.Condition) bool { return k != engine.KindPodGroup }}
		},
	})
}
