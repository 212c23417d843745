package mutant

import (
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "one-node-a-name",
		About:    "It takes a node that was created again under its name for the one that is gone.",
		Profiles: []string{robust},
		Kills:    []string{"ROB-020"},
		May:      []string{"INV-004"},
		fault: func() *control.Fault {
			var mu sync.Mutex
			first := map[string]types.UID{}
			return &control.Fault{Heard: func(o metav1.Object) bool {
				if _, is := o.(*corev1.Node); !is {
					return true
				}
				mu.Lock()
				defer mu.Unlock()
				if _, known := first[o.GetName()]; !known {
					first[o.GetName()] = o.GetUID()
				}
				return first[o.GetName()] == o.GetUID()
			}}
		},
	})
}
