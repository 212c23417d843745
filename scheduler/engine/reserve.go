package engine

import "slices"

// Reserve keeps room for a root that has waited long: it is placed in the cluster without the pods of others, and the
// nodes it would take are closed to all other roots until Release. What runs there runs on; as it ends, the room gathers.
// Whole nodes are kept, so reserve for few roots at a time. Nodes kept for others are not used.
//
// The names of the nodes are returned; none, and ok false, where the root would not fit the emptied cluster either. An
// earlier reservation of the root is replaced. It takes time in proportion to all placed pods.
//
// Nothing is kept for members beyond a quorum that stands, for whom nobody is evicted either: they may never fit into the
// domain of the others, and would close nodes to those who still wait for their quorum, for ever.
func (e *Engine) Reserve(r Root) (nodes []string, ok bool) {
	e.Release(r)
	if e.stands(r) {
		return nil, false
	}
	var others []*pod
	for _, p := range e.pods {
		if p.holds && e.rootOf(p) != r {
			others = append(others, p)
		}
	}
	slices.SortFunc(others, func(a, b *pod) int { return int(a.node) - int(b.node) })
	e.begin()
	at := make([]int32, len(others))
	for i, p := range others {
		at[i] = p.node
		e.take(p)
	}
	d := e.Solve(r)
	for i, p := range others {
		e.put(p, at[i])
	}
	e.end()
	if d.Outcome != Placed {
		return nil, false
	}
	for _, pl := range d.Placements {
		n := e.nodes[e.byName[pl.Node]]
		if n.kept == nil {
			n.kept = &r
			e.reserved[r] = append(e.reserved[r], n.id)
			nodes = append(nodes, n.name)
			e.touch(n)
		}
	}
	slices.Sort(nodes)
	return nodes, true
}

// stands reports whether all that a root has to have bound is bound.
func (e *Engine) stands(r Root) bool {
	g := e.groups[groupKey{r.Kind, r.Key}]
	switch {
	case g == nil || !g.exists || e.rootOfGroup(g) != r:
		return false
	case r.Kind == KindPodGroup:
		return g.gang && e.leafOf(g, g).need == 0
	}
	return e.branchOf(g, g).done
}

// Release opens the nodes kept for a root.
func (e *Engine) Release(r Root) {
	for _, id := range e.reserved[r] {
		n := e.nodes[id]
		if n.kept != nil && *n.kept == r {
			n.kept = nil
			e.freed++
			e.touch(n)
		}
	}
	if e.reserved[r] != nil {
		e.waiting.changed = true // for those who were kept out
	}
	delete(e.reserved, r)
}

// wakeKeeper wakes the root a node is kept for: room gathers there that no table shows to others.
func (e *Engine) wakeKeeper(n *node) {
	if n.kept != nil {
		e.waiting.wake(*n.kept)
	}
}

// lift makes the nodes kept for a root usable while it is solved; lower hides them again.
func (e *Engine) lift(r Root) {
	for _, id := range e.reserved[r] {
		e.touch(e.nodes[id])
	}
}

func (e *Engine) lower(r Root) {
	e.solving = Root{}
	e.end()
	e.lift(r)
}
