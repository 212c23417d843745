package mutant

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"muster/scheduler/control"
)

func init() {
	add(Mutant{
		Name:     "one-device-a-pod",
		About:    "It takes every member of a group for one that needs a single device, however many it asks for.",
		Profiles: []string{gangs},
		Kills:    []string{"FIELD-004", "INV-002", "INV-003"},
		May:      []string{"INV-001", "INV-005"},
		fault: func() *control.Fault {
			return &control.Fault{Pod: func(p *corev1.Pod) {
				if _, ok := groupOf(p); !ok {
					return
				}
				for _, c := range p.Spec.Containers {
					for name := range c.Resources.Requests {
						if strings.Contains(string(name), "/") {
							c.Resources.Requests[name] = resource.MustParse("1")
						}
					}
				}
			}}
		},
	})
}
