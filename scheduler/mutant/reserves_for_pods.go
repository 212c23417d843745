package mutant

import (
	resourcev1 "k8s.io/api/resource/v1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "reserves-for-pods",
		About:    "It reserves what a group shares for each member instead of for the group.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-001"},
		May:      []string{"DRA-002", "DRA-012", "DRA-016", "DRA-020"},
		fault: func() *control.Fault {
			return &control.Fault{Decision: func(d *engine.Decision) {
				for i := range d.Placements {
					p := &d.Placements[i]
					for j := range p.Devices {
						if c := &p.Devices[j].Consumer; c.Resource != "pods" {
							*c = resourcev1.ResourceClaimConsumerReference{Resource: "pods", Name: p.Pod.Name, UID: p.Pod.UID}
						}
					}
				}
			}}
		},
	})
}
