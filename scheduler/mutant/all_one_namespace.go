package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "all-one-namespace",
		About:    "It knows groups by their names alone: of groups of one name the quorum of the first holds for all.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-016", "INV-002"},
		// How long a part stands before the scenario ends is a matter of timing.
		May: []string{"INV-001", "INV-005"},
		fault: func() *control.Fault {
			type memory struct {
				namespace string
				quorum    int32
			}
			first := map[string]memory{}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) {
					gang := g.Spec.SchedulingPolicy.Gang
					if gang == nil {
						return
					}
					if was, known := first[g.Name]; known && was.namespace != g.Namespace {
						gang.MinCount = was.quorum
						return
					}
					first[g.Name] = memory{g.Namespace, gang.MinCount}
				},
				GroupGone: func(g *schedulingv1beta1.PodGroup) bool {
					if first[g.Name].namespace == g.Namespace {
						delete(first, g.Name)
					}
					return true
				},
			}
		},
	})
}
