package mutant

import (
	"slices"

	resourcev1 "k8s.io/api/resource/v1"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "one-consumer-a-claim",
		About:    "It does not let anybody use a claim that is reserved for somebody else.",
		Profiles: []string{devices},
		Kills:    []string{"DRA-016"},
		fault: func() *control.Fault {
			reserved := map[engine.Key][]resourcev1.ResourceClaimConsumerReference{}
			return &control.Fault{
				ResourceClaim: func(c *resourcev1.ResourceClaim) { reserved[keyOf(c)] = c.Status.ReservedFor },
				Decision: func(d *engine.Decision) {
					for _, p := range d.Placements {
						for _, c := range p.Devices {
							k := engine.Key{Namespace: p.Pod.Namespace, Name: c.Name}
							if slices.ContainsFunc(reserved[k], func(r resourcev1.ResourceClaimConsumerReference) bool { return r.UID != c.Consumer.UID }) {
								unplace(d)
								return
							}
							// Whoever is decided next may come before the claim is heard of again.
							reserved[k] = append(slices.Clone(reserved[k]), c.Consumer)
						}
					}
				},
			}
		},
	})
}
