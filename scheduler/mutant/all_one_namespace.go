package mutant

import (
	"slices"
	"strings"

	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "all-one-namespace",
		About:    "It reads names of namespaces to the end of the shorter one: of groups of one name there the quorum of the first holds for all.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-016", "INV-002"},
		// How long a part stands before the scenario ends is a matter of timing.
		May: []string{"INV-001", "INV-005"},
		fault: func() *control.Fault {
			type memory struct {
				namespace string
				quorum    int32
			}
			first := map[string][]memory{}
			alike := func(a, b string) bool { return a != b && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a)) }
			forget := func(g *schedulingv1beta1.PodGroup) {
				first[g.Name] = slices.DeleteFunc(first[g.Name], func(m memory) bool { return m.namespace == g.Namespace })
			}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) {
					gang := g.Spec.SchedulingPolicy.Gang
					if gang == nil {
						return
					}
					// Groups of that name elsewhere are other schedulers', in a cluster that several share.
					for _, was := range first[g.Name] {
						if alike(was.namespace, g.Namespace) {
							gang.MinCount = was.quorum
							return
						}
					}
					forget(g)
					first[g.Name] = append(first[g.Name], memory{g.Namespace, gang.MinCount})
				},
				GroupGone: func(g *schedulingv1beta1.PodGroup) bool {
					forget(g)
					return true
				},
			}
		},
	})
}
