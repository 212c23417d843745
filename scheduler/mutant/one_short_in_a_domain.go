package mutant

import (
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "one-short-in-a-domain",
		About:    "Of a basic group with a topology constraint it places one pod less than its domain takes, and none later.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-014"},
		May:      []string{"INV-007"},
		fault: func() *control.Fault {
			demands, placed := map[engine.Key]bool{}, map[engine.Key]bool{}
			return &control.Fault{
				PodGroup: func(g *schedulingv1beta1.PodGroup) {
					demands[keyOf(g)] = g.Spec.SchedulingPolicy.Basic != nil && g.Spec.SchedulingConstraints != nil
				},
				Decision: func(d *engine.Decision) {
					k, n := d.Root.Key, len(d.Placements)
					switch {
					case d.Root.Kind != engine.KindPodGroup || !demands[k] || n == 0:
					case placed[k]:
						unplace(d)
					default:
						if placed[k] = true; n > 1 {
							d.Left = append(d.Left, engine.Leftover{Pod: d.Placements[n-1].Pod, Reason: engine.Reason{Code: engine.NoRoom, Need: 1}})
							d.Placements = d.Placements[:n-1]
						}
					}
				},
			}
		},
	})
}
