package engine

import (
	"cmp"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/labels"
)

// selection is one part of a term: pods in some namespaces whose labels match.
type selection struct {
	all      bool            // namespaces: every one
	in       []string        // namespaces, if not all
	spaces   labels.Selector // and those whose labels match, if not all; nil: none
	selector labels.Selector
}

func (s selection) selects(ns *namespace, l labels.Labels) bool {
	return (s.all || slices.Contains(s.in, ns.name) || s.spaces != nil && s.spaces.Matches(ns.labels)) && s.selector.Matches(l)
}

// term counts, per domain of one topology key and per node, the placed pods that match it, and those that carry it as
// required anti-affinity. Shapes that say the same share a term.
//
// Required pod affinity is satisfied by pods that match all its terms at once: such a term has several selections.
type term struct {
	id         string
	seq        uint64
	key        *topologyKey
	selections []selection
	// everywhere: pods of every namespace may match; else only those in the named ones.
	everywhere bool
	in         []string
	bySpace    bool // the labels of namespaces matter
	// lively: pods being deleted do not count (topology spread).
	lively bool
	refs   int
	// carried counts the shapes that carry the term as required anti-affinity.
	carried int

	total, owners int // in domains of the key
	byDomain      tally
	byNode        tally
	ownDomain     tally // pods that carry the term as anti-affinity
	ownNode       tally
}

// tally counts by number of a domain or node; zero is absent.
type tally map[int32]int32

func (t tally) add(i, by int32) {
	if t[i] += by; t[i] == 0 {
		delete(t, i)
	}
}

// termFor interns a term; the caller owns one reference. What is placed already is counted when a term is new.
func (e *Engine) termFor(id, key string, lively bool, selections []selection) *term {
	if t := e.terms[id]; t != nil {
		t.refs++
		return t
	}
	e.clock++
	t := &term{id: id, seq: e.clock, key: e.key(key), selections: selections, lively: lively, refs: 1,
		byDomain: tally{}, byNode: tally{}, ownDomain: tally{}, ownNode: tally{}}
	t.everywhere = true
	for _, s := range selections {
		t.bySpace = t.bySpace || s.spaces != nil
		if !s.all && s.spaces == nil {
			t.everywhere, t.in = false, s.in
		}
	}
	e.terms[id] = t
	for _, ns := range e.namespaces {
		if !t.covers(ns.name) {
			continue
		}
		if !t.everywhere {
			ns.terms = append(ns.terms, t)
		}
		e.countMatches(t, ns)
	}
	return t
}

// countMatches adds the pods of a namespace to a new term.
func (e *Engine) countMatches(t *term, ns *namespace) {
	asked := map[*labelSet]bool{}
	for _, p := range ns.pods {
		matches, ok := asked[p.labels]
		if !ok {
			matches = t.selects(ns, p.labels.labels())
			asked[p.labels] = matches
			if matches {
				p.labels.matched = append(p.labels.matched, t)
			}
		}
		if matches && p.holds && !(t.lively && p.terminating) {
			t.count(p.node, 1)
		}
	}
}

func (e *Engine) dropTerm(t *term) {
	if t.refs--; t.refs > 0 {
		return
	}
	delete(e.terms, t.id)
	is := func(x *term) bool { return x == t }
	for _, ns := range e.namespaces {
		ns.terms = slices.DeleteFunc(ns.terms, is)
	}
	for _, s := range e.labelSets {
		s.matched = slices.DeleteFunc(s.matched, is)
	}
}

// sortedTerms are all terms in the order in which they appeared.
func (e *Engine) sortedTerms() []*term {
	return slices.SortedFunc(maps.Values(e.terms), func(a, b *term) int { return cmp.Compare(a.seq, b.seq) })
}

func (t *term) covers(ns string) bool { return t.everywhere || slices.Contains(t.in, ns) }

func (t *term) selects(ns *namespace, l labels.Labels) bool {
	for _, s := range t.selections {
		if !s.selects(ns, l) {
			return false
		}
	}
	return true
}

// count adds pods on a node that match.
func (t *term) count(node, by int32) {
	t.byNode.add(node, by)
	if d := t.key.of[node]; d != noDomain {
		t.byDomain.add(d, by)
		t.total += int(by)
	}
}

// own adds pods on a node that carry the term.
func (t *term) own(node, by int32) {
	t.ownNode.add(node, by)
	if d := t.key.of[node]; d != noDomain {
		t.ownDomain.add(d, by)
		t.owners += int(by)
	}
}

// moved follows a node from one domain of the key to another.
func (t *term) moved(node, from, to int32) {
	if c := t.byNode[node]; c != 0 {
		if from != noDomain {
			t.byDomain.add(from, -c)
			t.total -= int(c)
		}
		if to != noDomain {
			t.byDomain.add(to, c)
			t.total += int(c)
		}
	}
	if c := t.ownNode[node]; c != 0 {
		if from != noDomain {
			t.ownDomain.add(from, -c)
			t.owners -= int(c)
		}
		if to != noDomain {
			t.ownDomain.add(to, c)
			t.owners += int(c)
		}
	}
}
