package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "basic-pairs",
		About:    "It places no more than two pods of a basic group that is to stay in one domain.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-014"},
		fault: func() *control.Fault {
			held, placed := map[engine.Key]bool{}, map[engine.Key]int{}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) {
					held[keyOf(g)] = g.Spec.SchedulingPolicy.Basic != nil && g.Spec.SchedulingConstraints != nil
				},
				Decision: func(d *engine.Decision) {
					if !held[d.Root.Key] || len(d.Placements) == 0 {
						return
					}
					room := 2 - placed[d.Root.Key]
					if room <= 0 {
						unplace(d)
						return
					}
					for _, p := range d.Placements[min(room, len(d.Placements)):] {
						d.Left = append(d.Left, engine.Leftover{Pod: p.Pod, Reason: engine.Reason{Code: engine.NoRoom, Need: 1}})
					}
					d.Placements = d.Placements[:min(room, len(d.Placements))]
					placed[d.Root.Key] += len(d.Placements)
				},
			}
		},
	})
}
