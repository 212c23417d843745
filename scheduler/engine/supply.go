package engine

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// supply tells how many copies of a shape fit.
type supply interface {
	room(sc scope) int64
	roomBy(k *topologyKey, sc scope) []int64
}

// supplyOf is the table of a shape, or, where there is none and the cohorts can tell, a look at them. With a key it will be
// asked about the domains of that key.
func (e *Engine) supplyOf(s *shape, sc scope, k *topologyKey) supply {
	if s.table == nil && e.glimpses(s, sc, k) {
		return glimpse{e, s}
	}
	return e.tableOf(s)
}

// glimpse answers about a shape from the cohorts. It is valid until a node changes.
type glimpse struct {
	e *Engine
	s *shape
}

// lookup is what was found out about a shape, as long as no node changes.
type lookup struct {
	of     *shape
	copies []int32 // by cohort
	total  int64
}

// glimpses reports whether the cohorts can tell what a scope takes of a shape: everywhere, also by domain of a key, or in one
// domain.
func (e *Engine) glimpses(s *shape, sc scope, k *topologyKey) bool {
	switch {
	case sc.all:
		return e.alike(s) && (k == nil || e.countable(k))
	case k != nil || len(sc.fixed) != 1 || sc.narrowed:
		return false
	}
	return e.alike(s) && e.countable(sc.key)
}

// alike reports whether nodes of a cohort take equally many copies of a shape, and brings the cohorts up to date. Devices
// are not the same on any two nodes; and a trial changes nodes for a while only.
func (e *Engine) alike(s *shape) bool {
	if e.trial || s.byName || e.asksDevices(s) {
		return false
	}
	for _, key := range s.reads {
		if !slices.Contains(e.cohorts.labels, key) && !e.tellApart(key) {
			return false
		}
	}
	return e.follow() && !slices.ContainsFunc(s.reads, func(key string) bool { return !slices.Contains(e.cohorts.labels, key) })
}

// look finds out how many copies of a shape the nodes of each cohort take.
func (g glimpse) look() *lookup {
	c := &g.e.cohorts
	l := &c.last
	if l.of == g.s {
		return l
	}
	l.of, l.total, l.copies = g.s, 0, l.copies[:0]
	for i := range c.list {
		n := int32(0)
		if m := c.list[i].members; len(m) > 0 {
			n = g.e.copies(g.s, g.e.nodes[m[0]])
			l.total += int64(n) * int64(len(m))
		}
		l.copies = append(l.copies, n)
	}
	return l
}

func (g glimpse) room(sc scope) int64 {
	l := g.look()
	if sc.all {
		return l.total
	}
	sum := int64(0)
	for i, by := range g.e.cohorts.headcountOf(sc.key).by {
		if l.copies[i] > 0 && int(sc.domain) < len(by) {
			sum += int64(l.copies[i]) * int64(by[sc.domain])
		}
	}
	return sum
}

func (g glimpse) roomBy(k *topologyKey, _ scope) []int64 {
	l := g.look()
	out := make([]int64, len(k.values))
	for i, by := range g.e.cohorts.headcountOf(k).by {
		if c := int64(l.copies[i]); c > 0 {
			for d, nodes := range by {
				out[d] += c * int64(nodes)
			}
		}
	}
	return out
}

// eachAlike visits the nodes that exist, or one for so many that are alike to the kind.
func (e *Engine) eachAlike(k *kind, sc scope, visit func(n *node, times int)) {
	if k.simple && sc.all && len(e.opened(e.solving)) == 0 && e.alike(k.shape) {
		for i := range e.cohorts.list {
			if m := e.cohorts.list[i].members; len(m) > 0 {
				visit(e.nodes[m[0]], len(m))
			}
		}
		return
	}
	for _, n := range e.nodes {
		if n.exists {
			visit(n, 1)
		}
	}
}

// headcountOf counts the nodes of each cohort by domain, from now on.
func (c *cohorts) headcountOf(k *topologyKey) *headcount {
	for _, h := range c.counts {
		if h.key == k {
			return h
		}
	}
	h := &headcount{key: k, version: k.version - 1}
	c.counts = append(c.counts, h)
	c.recount(h)
	return h
}

// outOfReach reports whether the pods that must be placed are more than would fit if no shape took room from another.
// Then nothing need be tried.
func (e *Engine) outOfReach(kinds []*kind, scopes []scope, need int) bool {
	for _, sc := range scopes {
		bound := 0
		for _, k := range kinds {
			if len(k.devs) > 0 || k.shape.table == nil && !e.glimpses(k.shape, sc, nil) {
				return false
			}
			bound += int(min(int64(len(k.pods)), e.supplyOf(k.shape, sc, nil).room(sc)))
		}
		if bound >= need {
			return false
		}
	}
	return true
}

// dry reports that nobody who waits for a shape without a table can have been helped. Each look costs as much as there are
// cohorts; a shape that was looked at for as much as a table costs is given one, since that is kept by what changes.
func (e *Engine) dry(s *shape) bool {
	if s.table != nil || !e.alike(s) {
		return false
	}
	if s.freed == e.freed && !s.untold && !e.waiting.moved {
		return true
	}
	if s.looked += len(e.cohorts.list); s.looked > len(e.nodes) {
		return false
	}
	total := glimpse{e, s}.look().total
	for _, need := range s.blocked {
		if total >= int64(need) {
			return false
		}
	}
	return true
}

// tellApart makes a label one whose values cohorts tell apart, unless it has too many, or there are too many such labels.
func (e *Engine) tellApart(key string) bool {
	c := &e.cohorts
	if c.fine[key] {
		return false
	}
	values := map[string]bool{}
	for _, n := range e.nodes {
		if v, ok := n.labels[key]; ok && !values[v] {
			if values[v] = true; len(values) > manyValues {
				c.tooFine(key)
				return false
			}
		}
	}
	if len(c.labels) >= manyLabels {
		read := map[string]bool{}
		for _, s := range e.shapes {
			for _, k := range s.reads {
				read[k] = true
			}
		}
		if c.labels = slices.DeleteFunc(c.labels, func(k string) bool { return !read[k] }); len(c.labels) >= manyLabels {
			return false
		}
	}
	*c = cohorts{labels: append(c.labels, key), fine: c.fine}
	return true
}

// tooFine notes labels that are not to be told apart.
func (c *cohorts) tooFine(keys ...string) {
	if c.fine == nil || len(c.fine) >= 1024 {
		c.fine = map[string]bool{}
	}
	for _, k := range keys {
		c.fine[k] = true
	}
}

// readKeys notes which labels the selector and the required affinity of a pod look at.
func (s *shape) readKeys(p *corev1.Pod, required bool) {
	for k := range p.Spec.NodeSelector {
		s.reads = append(s.reads, k)
	}
	if required {
		for _, t := range p.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
			s.byName = s.byName || len(t.MatchFields) > 0
			for _, r := range t.MatchExpressions {
				s.reads = append(s.reads, r.Key)
			}
		}
	}
	slices.Sort(s.reads)
	s.reads = slices.Compact(s.reads)
}
