package mutant

import (
	"time"

	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "impatient",
		About:    "It gives a gang up for good that has not been complete for some seconds.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-002"},
		May:      []string{"INV-004", "INV-007"},
		fault: func() *control.Fault {
			const patience = 3 * time.Second
			since := map[engine.Root]time.Time{}
			return &control.Fault{
				GroupGone: func(g *schedulingv1beta1.PodGroup) bool {
					delete(since, engine.Root{Kind: engine.KindPodGroup, Key: keyOf(g)})
					return true
				},
				Decision: func(d *engine.Decision) {
					first, waited := since[d.Root]
					switch {
					case d.Outcome == engine.Waiting && !waited:
						since[d.Root] = time.Now()
					case d.Outcome == engine.Placed && waited && time.Since(first) > patience:
						unplace(d)
					}
				},
			}
		},
	})
}
