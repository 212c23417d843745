package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "stops-at-quorum",
		About:    "It places the members a gang needs and forgets about the others.",
		Profiles: []string{gangs},
		Kills:    []string{"GANG-004", "GANG-005", "GANG-006", "GANG-058"},
		fault: func() *control.Fault {
			quorum := map[engine.Key]int{}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) {
					if gang := g.Spec.SchedulingPolicy.Gang; gang != nil {
						quorum[keyOf(g)] = int(gang.MinCount)
					}
				},
				Decision: func(d *engine.Decision) {
					most, ok := quorum[d.Root.Key]
					if !ok || d.Root.Kind != engine.KindPodGroup || len(d.Groups) == 0 {
						return
					}
					if most = max(0, most-d.Groups[0].Bound); len(d.Placements) > most {
						cut(d, most)
					}
				},
			}
		},
	})
}

// cut leaves so many placements of a decision about one group.
func cut(d *engine.Decision, most int) {
	if most == 0 {
		unplace(d)
		return
	}
	for _, p := range d.Placements[most:] {
		d.Left = append(d.Left, engine.Leftover{Pod: p.Pod, Reason: engine.Reason{Code: engine.NoRoom}})
	}
	d.Placements = d.Placements[:most]
	d.Groups[0].Placed = most
}
