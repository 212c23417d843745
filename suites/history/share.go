package history

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"
)

// sharing lets pods that are asked for alike share what they ask for: the members of a gang, and one gang after another of
// the same job, would else fill most of the memory that a long record takes. Decoded objects are read-only, so nobody can
// tell, except that a pod whose spec is decoded again has containers of its own (see samePlace).
type sharing struct {
	// last are the containers seen last by namespace.
	last map[string][]corev1.Container
}

// manyNamespaces bounds what sharing remembers.
const manyNamespaces = 1024

// pod replaces the containers of a pod that was decoded whole by equal ones, or parts of them.
func (s *sharing) pod(p *corev1.Pod) {
	last, mine := s.last[p.Namespace], p.Spec.Containers
	if reflect.DeepEqual(last, mine) {
		p.Spec.Containers = last
		return
	}
	for i := range min(len(last), len(mine)) {
		if reflect.DeepEqual(last[i].Resources, mine[i].Resources) {
			mine[i].Resources = last[i].Resources
		}
	}
	if s.last == nil || len(s.last) > manyNamespaces {
		s.last = map[string][]corev1.Container{}
	}
	s.last[p.Namespace] = mine
}
