package mutant

import (
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "keeps-a-root-that-is-gone",
		About:    "It goes on scheduling a tree whose root has been deleted.",
		Profiles: []string{composite},
		Kills:    []string{"CPG-022"},
		fault: func() *control.Fault {
			return &control.Fault{CompositeGone: func(*schedulingv1alpha3.CompositePodGroup) bool { return false }}
		},
	})
}
