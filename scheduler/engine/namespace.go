package engine

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// UpsertNamespace tells that a Namespace exists and which labels it has: rules about other pods select by them.
func (e *Engine) UpsertNamespace(obj *corev1.Namespace) { e.relabel(obj.Name, obj.Labels) }

// DeleteNamespace tells that a Namespace is gone.
func (e *Engine) DeleteNamespace(name string) { e.relabel(name, nil) }

func (e *Engine) relabel(name string, l map[string]string) {
	if maps.Equal(e.spaces[name], l) {
		return
	}
	if len(l) > 0 {
		e.spaces[name] = l
	} else {
		delete(e.spaces, name)
	}
	ns := e.namespaces[name]
	if ns == nil {
		return
	}
	ns.labels = l
	for _, t := range e.sortedTerms() {
		if t.bySpace && t.covers(name) {
			e.rematch(t, ns)
		}
	}
}

// rematch corrects a term about the pods of a namespace whose labels changed.
func (e *Engine) rematch(t *term, ns *namespace) {
	was, is := map[*labelSet]bool{}, map[*labelSet]bool{}
	for _, p := range ns.pods {
		s := p.labels
		if _, asked := is[s]; !asked {
			was[s], is[s] = slices.Contains(s.matched, t), t.selects(ns, s.labels())
			s.match(t, was[s], is[s])
		}
		if was[s] == is[s] {
			continue
		}
		e.waiting.changed = true
		e.waiting.wake(e.rootOf(p)) // others' rules may have kept it out
		if p.holds && !(t.lively && p.terminating) {
			t.count(p.node, map[bool]int32{true: 1, false: -1}[is[s]])
		}
	}
}

// match enters a term among those that speak about such pods, or strikes it out.
func (s *labelSet) match(t *term, was, is bool) {
	switch {
	case is && !was:
		s.matched = append(s.matched, t)
		slices.SortFunc(s.matched, func(a, b *term) int { return cmp.Compare(a.seq, b.seq) })
	case was && !is:
		s.matched = slices.DeleteFunc(s.matched, func(x *term) bool { return x == t })
	}
}

// spaceLabels are the labels of the namespaces that have any, by name.
type spaceLabels map[string]labels.Set
