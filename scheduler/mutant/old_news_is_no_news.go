package mutant

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"muster/scheduler/control"
)

// newsAge is how old a pod may be when it is first heard of. Ages have whole seconds.
const newsAge = 2 * time.Second

func init() {
	add(Mutant{
		Name:     "old-news-is-no-news",
		About:    "It does not count the room of pods that others placed and of which it hears late.",
		Profiles: []string{robust},
		Kills:    []string{"ROB-006", "INV-002"},
		May:      []string{"INV-003", "INV-005"},
		fault: func() *control.Fault {
			began := time.Now().Truncate(time.Second)
			known, late := map[types.UID]bool{}, map[types.UID]bool{}
			return &control.Fault{Pod: func(p *corev1.Pod) {
				created := p.CreationTimestamp.Time
				if !known[p.UID] && p.Spec.NodeName != "" && !created.Before(began) && time.Since(created) > newsAge {
					late[p.UID] = true
				}
				known[p.UID] = true
				if !late[p.UID] {
					return
				}
				for i := range p.Spec.Containers {
					p.Spec.Containers[i].Resources = corev1.ResourceRequirements{}
				}
			}}
		},
	})
}
