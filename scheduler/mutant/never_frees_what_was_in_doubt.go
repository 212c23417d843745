package mutant

import (
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

func init() {
	add(Mutant{
		Name:     "never-frees-what-was-in-doubt",
		About:    "The room of a gang one bind of which was not answered, or with an error of the server, is taken for ever.",
		Profiles: []string{robust},
		Kills:    []string{"ROB-004", "ROB-010"},
		May:      []string{"ROB-009", "INV-004", "INV-007"},
		fault: func() *control.Fault {
			var mu sync.Mutex // binds are answered beside one another
			group, doubt := map[engine.PodRef]engine.Key{}, map[engine.Key]bool{}
			return &control.Fault{
				Pod: func(p *corev1.Pod) {
					mu.Lock()
					defer mu.Unlock()
					if k, member := groupOf(p); member {
						group[engine.PodRef{Key: keyOf(p), UID: p.UID}] = k
					}
				},
				Answer: func(pod engine.PodRef, _ string, err error) error {
					mu.Lock()
					defer mu.Unlock()
					if k, member := group[pod]; member && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
						doubt[k] = true
					}
					return err
				},
				PodGone: func(p *corev1.Pod) bool {
					mu.Lock()
					defer mu.Unlock()
					return !doubt[group[engine.PodRef{Key: keyOf(p), UID: p.UID}]]
				},
			}
		},
	})
}
