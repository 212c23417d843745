package engine

import "slices"

// Reserve keeps room for a root that has waited long: it is placed in the cluster without the pods of others, and the
// nodes it would take are closed to all other roots of its priority or a lower one until Release: one of higher priority that found
// them closed would evict somebody while they stand empty. What runs there runs on; as it ends, the room gathers. Whole nodes are
// kept, so reserve for few roots at a time. Nodes kept for others of its priority or a higher one are not used.
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

// wakeKeeper wakes the root a node is kept for: room gathers there that no table shows to others. Whom of higher priority it may
// help is looked for when somebody asks.
func (e *Engine) wakeKeeper(n *node) {
	if n.kept == nil {
		return
	}
	e.waiting.wake(*n.kept)
	e.waiting.gathering(e.priorityOf(*n.kept))
}

// closed reports whether a node is kept for a root to which the one that is being solved has to leave it: another one, of the same
// priority or a higher one.
func (e *Engine) closed(n *node) bool {
	return n.kept != nil && *n.kept != e.solving && (e.solving == Root{} || e.priorityOf(*n.kept) >= e.priorityOf(e.solving))
}

// opened are the nodes kept for a root and for those of lower priority.
func (e *Engine) opened(r Root) []int32 {
	if r == (Root{}) || len(e.reserved) == 0 {
		return nil
	}
	var out []int32
	priority := e.priorityOf(r)
	for other, nodes := range e.reserved {
		if other == r || e.priorityOf(other) < priority {
			out = append(out, nodes...)
		}
	}
	slices.Sort(out)
	return out
}

// lift makes nodes that are kept usable while a root is solved that may use them; lower hides them again.
func (e *Engine) lift(kept []int32) {
	for _, id := range kept {
		e.touch(e.nodes[id])
	}
}

func (e *Engine) lower(kept []int32) {
	e.solving = Root{}
	e.end()
	e.lift(kept)
}
