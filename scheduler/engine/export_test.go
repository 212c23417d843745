package engine

import (
	"fmt"
	"maps"
	"slices"
)

// Check compares everything that is kept incrementally with what follows from the pods and nodes alone.
func (e *Engine) Check() error {
	if len(e.trail) > 0 || e.trial || e.trials != 0 || e.solving != (Root{}) {
		return fmt.Errorf("a trial was left open")
	}
	used := map[int32]map[int32]int64{}
	count, named := map[int32]int32{}, map[int32]int32{}
	for _, p := range e.pods {
		if p.node != noNode {
			named[p.node]++
		}
		if p.holds != (p.phase == bound) {
			return fmt.Errorf("pod %s: holds %v in phase %d", p.Key, p.holds, p.phase)
		}
		if !p.holds {
			continue
		}
		count[p.node]++
		if used[p.node] == nil {
			used[p.node] = map[int32]int64{}
		}
		for _, a := range p.shape.requests {
			used[p.node][a.res] += a.v
		}
	}
	for _, s := range e.seats {
		if s.up || e.nominated[s.of.root] != s.of || !slices.Contains(s.of.seats, s) || !slices.Contains(e.nodes[s.node].seats, s) {
			return fmt.Errorf("seat of pod %s is up, or not known where it should be", s.pod.Key)
		}
		if p := e.pods[s.pod.Key]; p == nil || p.uid != s.pod.UID || p.phase != pending {
			return fmt.Errorf("seat is kept for pod %s, which does not wait", s.pod.Key)
		}
		count[s.node]++
		named[s.node]++
		if used[s.node] == nil {
			used[s.node] = map[int32]int64{}
		}
		for _, a := range s.shape.requests {
			used[s.node][a.res] += a.v
		}
	}
	for id, n := range e.nodes {
		i := int32(id)
		if n.count != count[i] || n.named != named[i] {
			return fmt.Errorf("node %s: %d pods and %d names, want %d and %d", n.name, n.count, n.named, count[i], named[i])
		}
		for r, v := range n.used {
			if v != used[i][int32(r)] {
				return fmt.Errorf("node %s: %d of resource %d used, want %d", n.name, v, r, used[i][int32(r)])
			}
		}
	}
	if err := e.checkTerms(); err != nil {
		return err
	}
	if err := e.checkRefs(); err != nil {
		return err
	}
	if err := e.checkDevices(); err != nil {
		return err
	}
	if err := e.checkCohorts(); err != nil {
		return err
	}
	for _, t := range e.tables {
		e.refresh(t)
		if err := e.checkTable(t); err != nil {
			return err
		}
	}
	return nil
}

func (e *Engine) checkTable(t *table) error {
	total := int64(0)
	for id, n := range e.nodes {
		c := e.copies(t.shape, n)
		if t.cells[id] != c {
			return fmt.Errorf("table: node %s takes %d, want %d", n.name, t.cells[id], c)
		}
		total += int64(c)
		for i := range t.sorted.sets {
			at := int(e.order.place[id])
			in := at/64 < len(t.sorted.sets[i].words) && t.sorted.sets[i].words[at/64]&(1<<(at%64)) != 0
			if in != (c > 0 && int32(i) == slot(t.classOf(n), c)) {
				return fmt.Errorf("table: node %s with %d copies in bucket %d: %v", n.name, c, i, in)
			}
		}
	}
	if total != t.total {
		return fmt.Errorf("table: total %d, want %d", t.total, total)
	}
	for _, s := range t.sums {
		want := make([]int64, len(s.key.values))
		for id, c := range t.cells {
			if d := s.key.of[id]; d != noDomain {
				want[d] += int64(c)
			}
		}
		if !slices.Equal(want, s.by) {
			return fmt.Errorf("table: sums by %s %v, want %v", s.key.name, s.by, want)
		}
	}
	return nil
}

func (e *Engine) checkTerms() error {
	for _, t := range e.terms {
		node, domain, own, ownDomain := tally{}, tally{}, tally{}, tally{}
		total, owners := 0, 0
		for _, p := range e.pods {
			matches := t.covers(p.Namespace) && t.selects(e.namespaces[p.Namespace], p.labels.labels())
			if matches != slices.Contains(p.labels.matched, t) {
				return fmt.Errorf("term %s: pod %s matched %v", t.id, p.Key, !matches)
			}
			if !p.holds {
				continue
			}
			d := t.key.of[p.node]
			if matches && !(t.lively && p.terminating) {
				node.add(p.node, 1)
				if d != noDomain {
					domain.add(d, 1)
					total++
				}
			}
			if r := p.shape.rules; r != nil {
				for _, o := range r.anti {
					if o == t {
						own.add(p.node, 1)
						if d != noDomain {
							ownDomain.add(d, 1)
							owners++
						}
					}
				}
			}
		}
		if !maps.Equal(node, t.byNode) || !maps.Equal(domain, t.byDomain) || !maps.Equal(own, t.ownNode) ||
			!maps.Equal(ownDomain, t.ownDomain) || total != t.total || owners != t.owners {
			return fmt.Errorf("term %s: counts %v %v %v %v, want %v %v %v %v", t.id, t.byNode, t.byDomain, t.ownNode, t.ownDomain, node, domain, own, ownDomain)
		}
	}
	return nil
}

// checkRefs looks for things kept that nothing refers to, and the other way round.
func (e *Engine) checkRefs() error {
	shapes, sets := map[*shape]int{}, map[*labelSet]int{}
	for _, p := range e.pods {
		if shapes[p.shape]++; shapes[p.shape] == 1 && p.shape.devices.base != nil {
			shapes[p.shape.devices.base]++
		}
		sets[p.labels]++
		if p.group != nil && e.groups[p.group.groupKey] != p.group {
			return fmt.Errorf("pod %s is in a group that is not known", p.Key)
		}
	}
	for _, s := range e.seats {
		shapes[s.shape]++
	}
	if len(shapes) != len(e.shapes) || len(sets) != len(e.labelSets) {
		return fmt.Errorf("%d shapes and %d label sets kept, %d and %d in use", len(e.shapes), len(e.labelSets), len(shapes), len(sets))
	}
	for s, n := range shapes {
		if s.refs != n {
			return fmt.Errorf("shape with %d references, want %d", s.refs, n)
		}
	}
	for _, g := range e.groups {
		alive, assumed := 0, 0
		for i, p := range g.settled {
			if p.phase == bound {
				alive++
			}
			if p.assumed {
				assumed++
			}
			if p.inGroup != int32(i) || p.group != g {
				return fmt.Errorf("group %s: settled member %s at %d, not %d", g.Key, p.Key, p.inGroup, i)
			}
		}
		if alive != g.bound || assumed != g.assumed {
			return fmt.Errorf("group %s: %d bound and %d assumed, want %d and %d", g.Key, g.bound, g.assumed, alive, assumed)
		}
		for i, p := range g.waiting {
			if p.inGroup != int32(i) || p.group != g {
				return fmt.Errorf("group %s: waiting member %s at %d, not %d", g.Key, p.Key, p.inGroup, i)
			}
		}
		if !g.exists && len(g.waiting)+len(g.settled)+g.others+len(g.children) == 0 {
			return fmt.Errorf("group %s is kept for nobody", g.Key)
		}
	}
	return nil
}

// Kept counts the topology keys kept, and the domains of one.
func (e *Engine) Kept(key string) (keys, domains int) {
	if k := e.keys[key]; k != nil {
		domains = len(k.values)
	}
	return len(e.keys), domains
}

// PreemptBy is Preempt with one of the ways to choose victims; sure is false where it does not apply, or does not claim
// that no choice is cheaper.
func (e *Engine) PreemptBy(way string, r Root) (p Plan, sure bool) {
	p = e.plan(r, func(h *hunt) (set []*unit) {
		h.narrow()
		switch {
		case way == "exact":
			set, sure = h.exact()
		case way == "spread" && h.simple():
			set, sure = h.spread()
		case way == "greedy":
			set, sure = h.greedy(), true
		}
		return set
	})
	return p, sure
}

// Nominated counts the roots for which room is kept.
func (e *Engine) Nominated() int { return len(e.nominated) }

// Seated reports whether room is kept for a root.
func (e *Engine) Seated(r Root) bool { return e.nominated[r] != nil }
