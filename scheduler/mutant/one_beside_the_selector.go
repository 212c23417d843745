package mutant

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	// The label that keeps the pools of scenarios apart is held to.
	const pool = "muster.dev/pool"
	add(Mutant{
		Name:     "one-beside-the-selector",
		About:    "It places one member of a group on a node that the member's selector rules out.",
		Profiles: []string{topology},
		Kills:    []string{"TAS-021", "INV-016"},
		May:      []string{"INV-002", "INV-003", "INV-010"},
		fault: func() *control.Fault {
			nodes := map[string]map[string]string{} // labels by name
			selector := map[engine.PodRef]map[string]string{}
			return &control.Fault{
				Node: func(n *corev1.Node) { nodes[n.Name] = n.Labels },
				Pod: func(p *corev1.Pod) {
					if _, member := groupOf(p); member && len(p.Spec.NodeSelector) > 1 {
						selector[engine.PodRef{Key: keyOf(p), UID: p.UID}] = p.Spec.NodeSelector
					}
				},
				Decision: func(d *engine.Decision) {
					if len(d.Placements) == 0 || d.Root.Kind != engine.KindPodGroup {
						return
					}
					p := &d.Placements[0]
					want := selector[p.Pod]
					for _, name := range slices.Sorted(maps.Keys(nodes)) {
						has := nodes[name]
						if want == nil || has[pool] != want[pool] {
							continue
						}
						for key, value := range want {
							if has[key] != value {
								p.Node = name
								return
							}
						}
					}
				},
			}
		},
	})
}
