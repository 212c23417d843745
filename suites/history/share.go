package history

import (
	"maps"
	"reflect"

	corev1 "k8s.io/api/core/v1"
)

// sharing lets pods that are asked for alike share what they ask for: the members of a gang, and one gang after another of
// the same job, would else fill most of the memory that a long record takes. Decoded objects are read-only, so nobody can
// tell, except that a pod whose spec is decoded again has containers of its own (see samePlace).
type sharing struct {
	// last are the containers seen last by namespace.
	last map[string][]corev1.Container
	// specs are the specs decoded last by namespace: the next pod's is likely the same but for what is the pod's own.
	specs map[string]specSeen
}

// specSeen is a spec as it was read, and decoded.
type specSeen struct {
	raw  map[string]any
	spec corev1.PodSpec
}

// own are the fields of a spec in which pods of one template differ.
var own = []string{"schedulingGroup", "hostname", "nodeName"}

// decode decodes a pod of which nothing is known yet, and what its spec shares with the one before not again.
func (s *sharing) decode(whole map[string]any, p *corev1.Pod) error {
	raw, _ := whole["spec"].(map[string]any)
	meta, _ := whole["metadata"].(map[string]any)
	namespace, _ := meta["namespace"].(string)
	seen, ok := s.specs[namespace]
	if !ok || raw == nil || !alike(seen.raw, raw) {
		err := convert(whole, p)
		if err == nil && raw != nil {
			if s.specs == nil || len(s.specs) > manyNamespaces {
				s.specs = map[string]specSeen{}
			}
			s.pod(p)
			s.specs[namespace] = specSeen{raw, p.Spec}
		}
		return err
	}
	rest := maps.Clone(whole)
	delete(rest, "spec")
	if err := convert(rest, p); err != nil {
		return err
	}
	mine := map[string]any{}
	for _, key := range own {
		if v, ok := raw[key]; ok {
			mine[key] = v
		}
	}
	var its corev1.PodSpec
	if err := convert(mine, &its); err != nil {
		return err
	}
	p.Spec = seen.spec
	p.Spec.SchedulingGroup, p.Spec.Hostname, p.Spec.NodeName = its.SchedulingGroup, its.Hostname, its.NodeName
	return nil
}

// alike reports whether two specs differ in nothing but what is a pod's own.
func alike(a, b map[string]any) bool {
	n := 0
	for _, m := range []map[string]any{a, b} {
		d := len(m)
		for _, key := range own {
			if _, ok := m[key]; ok {
				d--
			}
		}
		n = d - n
	}
	if n != 0 {
		return false
	}
	for key, v := range a {
		if w, ok := b[key]; key != own[0] && key != own[1] && key != own[2] && (!ok || !reflect.DeepEqual(v, w)) {
			return false
		}
	}
	return true
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
