package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "waits-behind-the-gang",
		About:    "While a gang of their namespace finds no room, pods of their own are not tried.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-053", "FIELD-002"},
		May:      []string{"INV-007"},
		fault: func() *control.Fault {
			waiting := map[engine.Root]bool{}
			return &control.Fault{
				GroupGone: func(g *schedulingv1beta1.PodGroup) bool {
					delete(waiting, engine.Root{Kind: engine.KindPodGroup, Key: keyOf(g)})
					return true
				},
				Decision: func(d *engine.Decision) {
					if d.Root.Kind == engine.KindPodGroup {
						waiting[d.Root] = d.Outcome == engine.Unschedulable
						return
					}
					for r, waits := range waiting {
						if waits && r.Namespace == d.Root.Namespace {
							unplace(d)
						}
					}
				},
			}
		},
	})
}
