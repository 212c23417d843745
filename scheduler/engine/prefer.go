package engine

import corev1 "k8s.io/api/core/v1"

// dislikes counts the PreferNoSchedule taints of a node that the shape does not tolerate.
func (s *shape) dislikes(n *node) int64 {
	c := int64(0)
	for i := range n.taints {
		if t := &n.taints[i]; t.Effect == corev1.TaintEffectPreferNoSchedule && !s.tolerates(t) {
			c++
		}
	}
	return c
}

// Weights of what has none in the API, on the scale of the API's weights from 1 to 100.
const (
	tasteTaint  = 50 // a PreferNoSchedule taint, against
	tasteSpread = 10 // a pod counted by a ScheduleAnyway spread constraint in the node's domain, against
	tasteWaste  = 1  // extended resources the pod does not ask for, against
)

// score is how much a pod of the kind would like the node; the weights of all preferences that apply are added up.
func (e *Engine) score(k *kind, n *node) int64 {
	s := -tasteTaint * k.shape.dislikes(n)
	if n.extra&^k.shape.extra != 0 {
		s -= tasteWaste
	}
	r := k.shape.rules
	if r == nil {
		return s
	}
	if r.nodes != nil {
		e.scratch.Name, e.scratch.Labels = n.name, n.labels
		s += r.nodes.Score(&e.scratch)
	}
	for _, w := range r.near {
		if d := w.key.of[n.id]; d != noDomain {
			s += w.weight * int64(w.byDomain[d])
		}
	}
	for _, sp := range r.soft {
		if d := sp.key.of[n.id]; d != noDomain {
			s -= tasteSpread * int64(sp.byDomain[d])
		} else {
			s -= tasteTaint
		}
	}
	return s
}
