package engine

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
)

// labelSet is a namespace and the labels of the pods that share them, kept once, as text: the labels are only read when
// a new term asks, which is rare.
type labelSet struct {
	text    string // namespace, then key and value in turn, sorted by key, separated by zero bytes
	ns      *namespace
	refs    int
	matched []*term // the terms that speak about such pods, in the order in which the terms appeared
}

// namespace is what is known of one: the pods in it, for counting what a new term matches.
type namespace struct {
	name   string
	labels labels.Set // of its object; nil while there is none
	pods   []*pod
	sets   int
	terms  []*term // those that name this namespace
}

func (e *Engine) namespace(name string) *namespace {
	ns := e.namespaces[name]
	if ns == nil {
		ns = &namespace{name: name, labels: e.spaces[name]}
		for _, t := range e.sortedTerms() {
			if !t.everywhere && slices.Contains(t.in, name) {
				ns.terms = append(ns.terms, t)
			}
		}
		e.namespaces[name] = ns
	}
	return ns
}

// labelSetOf interns; the caller owns one reference.
func (e *Engine) labelSetOf(ns string, l map[string]string) *labelSet {
	b := append(e.buf[:0], ns...)
	if len(l) <= 1 {
		for k, v := range l {
			b = appendPair(b, k, v)
		}
	} else {
		var few [16]string
		keys := few[:0]
		for k := range l {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			b = appendPair(b, k, l[k])
		}
	}
	e.buf = b
	if s := e.labelSets[string(b)]; s != nil {
		s.refs++
		return s
	}
	s := &labelSet{text: string(b), ns: e.namespace(ns), refs: 1}
	s.ns.sets++
	if len(e.terms) > 0 {
		set := s.labels()
		for _, t := range e.sortedTerms() {
			if t.covers(s.ns.name) && t.selects(s.ns, set) {
				s.matched = append(s.matched, t)
			}
		}
	}
	e.labelSets[s.text] = s
	return s
}

func appendPair(b []byte, k, v string) []byte {
	b = append(b, 0)
	b = append(b, k...)
	b = append(b, 0)
	return append(b, v...)
}

func (e *Engine) dropLabelSet(s *labelSet) {
	if s.refs--; s.refs > 0 {
		return
	}
	delete(e.labelSets, s.text)
	if s.ns.sets--; s.ns.sets == 0 {
		delete(e.namespaces, s.ns.name)
	}
}

// labels reads the text back.
func (s *labelSet) labels() labels.Set {
	parts := strings.Split(s.text, "\x00")[1:]
	out := make(labels.Set, len(parts)/2)
	for i := 0; i+1 < len(parts); i += 2 {
		out[parts[i]] = parts[i+1]
	}
	return out
}
