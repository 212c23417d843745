package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "keeps-a-group-that-is-gone",
		About:    "It goes on scheduling pods for a group whose object has been deleted.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-059", "GANG-060"},
		fault: func() *control.Fault {
			return &control.Fault{GroupGone: func(*schedulingv1beta1.PodGroup) bool { return false }}
		},
	})
}
