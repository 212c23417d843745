package mutant

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "keeps-the-room-of-the-deleted",
		About:    "The room of a pod that is deleted while its bind is under way is taken for ever.",
		Profiles: []string{robust},
		Kills:    []string{"ROB-009"},
		May:      []string{"ROB-010", "INV-004", "INV-007"},
		fault:    keepsRoom(func(engine.Root) bool { return true }),
	})
}

// keepsRoom never gives the room back of pods of such a root that are deleted between the decision and the news of their bind.
func keepsRoom(of func(engine.Root) bool) func() *control.Fault {
	return func() *control.Fault {
		decided := map[types.UID]bool{}
		return &control.Fault{
			Decision: func(d *engine.Decision) {
				for _, p := range d.Placements {
					decided[p.Pod.UID] = of(d.Root)
				}
			},
			Pod: func(p *corev1.Pod) {
				switch {
				case p.Spec.NodeName != "":
					delete(decided, p.UID)
				case decided[p.UID]:
					p.DeletionTimestamp = nil
				}
			},
			PodGone: func(p *corev1.Pod) bool { return !decided[p.UID] },
		}
	}
}
