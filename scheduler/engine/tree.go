package engine

import (
	"cmp"
	"slices"
)

// branch is a group in an attempt: a PodGroup with its leaf, or a CompositePodGroup with its children.
type branch struct {
	g        *group
	leaf     *leaf // of a PodGroup
	children []*branch
	kinds    []*kind // of everything below
	pods     int     // pending below
	least    int     // pods that must be placed at least for it to be satisfied
	done     bool    // satisfied by what was placed before the attempt
	hopeless bool    // cannot be satisfied whatever the room
	reason   Reason  // why not, or why not placed
	outcome  Outcome // of a composite that cannot be tried
	chosen   bool    // satisfied in the current state of the attempt
}

// branchOf looks at a group and everything below.
func (e *Engine) branchOf(g, top *group) *branch {
	b := &branch{g: g}
	if g.kind == KindPodGroup {
		b.leaf = e.leafOf(g, top)
		b.kinds, b.pods, b.least = b.leaf.kinds, len(b.leaf.pods), b.leaf.need
		b.done = g.exists && b.leaf.need == 0 && (g.met || len(g.settled) > 0)
		b.hopeless = !b.done && b.leaf.outcome != Placed
		b.reason = b.leaf.reason
		b.least = max(1, b.least)
		return b
	}
	var least []int
	met, able := 0, 0
	for _, c := range g.children {
		if _, flaw := climb(c); flaw.Code != NoReason {
			continue // too deep: its own root
		}
		x := e.branchOf(c, top)
		b.children = append(b.children, x)
		b.kinds = append(b.kinds, x.kinds...)
		b.pods += x.pods
		switch {
		case x.done:
			met++
			able++
		case !x.hopeless:
			able++
			least = append(least, x.least)
		}
	}
	slices.Sort(least)
	b.done = g.exists && met >= g.min
	for i := 0; i < g.min-met && i < len(least); i++ {
		b.least += least[i]
	}
	b.least = max(1, b.least)
	switch {
	case !g.exists:
		b.hopeless, b.outcome, b.reason = true, Waiting, Reason{Code: ParentMissing, Object: g.Key.String()}
	case able < g.min:
		b.hopeless, b.outcome = true, Waiting
		b.reason = Reason{Code: ShortOfGroups, Have: able, Need: g.min}
	}
	slices.SortStableFunc(b.children, func(x, y *branch) int { // what is settled, then what needs most
		if x.done != y.done {
			if x.done {
				return -1
			}
			return 1
		}
		return cmp.Compare(y.least, x.least)
	})
	return b
}

// place satisfies the branch inside a scope in some way for which then succeeds too, or leaves everything as it was and
// reports false. It goes back on choices of domains and of children, within a budget.
func (e *Engine) place(b *branch, sc scope, then func() bool) bool {
	if b.done && (b.leaf != nil || b.pods == 0) {
		b.chosen = true
		if b.leaf != nil {
			b.leaf.where = e.pinned(b.g, sc)
		}
		if then() {
			return true
		}
		b.chosen = false
		return false
	}
	if b.hopeless || e.tries <= 0 {
		return false
	}
	scopes, why, ok := e.candidates(b.g, sc, b.least, b.pods, b.kinds)
	if why.Code != NoReason {
		b.reason = why
	}
	if !ok {
		b.outcome = Error
		return false
	}
	for _, s := range scopes {
		if b.leaf == nil {
			if e.placeChildren(b, s, 0, 0, then) {
				return true
			}
			continue
		}
		e.tries--
		if e.joint {
			b.chosen, b.leaf.where = true, s
			if then() {
				return true
			}
			b.chosen = false
			continue
		}
		mark := len(e.trail)
		n := e.attempt(b.kinds, s).run(b.least, max(b.leaf.need, 1))
		if n == 0 {
			if b.reason.Code == NoReason {
				b.reason = e.shortage(b.kinds, s, b.least)
			}
			continue
		}
		b.chosen, b.leaf.where, b.leaf.placed = true, s, n
		if then() {
			return true
		}
		b.chosen, b.leaf.placed = false, 0
		e.back(mark)
	}
	return false
}

// placeChildren satisfies as many children from the i-th on as it can, at least so many that the composite is satisfied.
func (e *Engine) placeChildren(b *branch, sc scope, i, got int, then func() bool) bool {
	if got+len(b.children)-i < b.g.min {
		b.note(got)
		return false
	}
	if i == len(b.children) {
		b.chosen = true
		if then() {
			return true
		}
		b.chosen = false
		return false
	}
	if e.place(b.children[i], sc, func() bool { return e.placeChildren(b, sc, i+1, got+1, then) }) {
		return true
	}
	if e.tries <= 0 || b.children[i].done { // without a child that is satisfied already nothing gets easier
		b.note(got)
		return false
	}
	return e.placeChildren(b, sc, i+1, got, then)
}

// jointly places what the chosen groups need in the scopes chosen for them, with the exact search: where each group for
// itself is packed well, all together may not fit.
func (e *Engine) jointly(b *branch) bool {
	s := &search{e: e}
	var leaves []*leaf
	b.collect(func(x *branch) {
		if x.leaf == nil || !x.chosen || x.done {
			return
		}
		for _, k := range x.kinds {
			s.add(k, x.leaf.where, len(s.teams))
		}
		s.teams = append(s.teams, team{need: x.least})
		leaves = append(leaves, x.leaf)
	})
	order := indices(len(s.kinds))
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(weight(s.kinds[y].shape), weight(s.kinds[x].shape)) })
	mark := len(e.trail)
	if !s.run(order) {
		e.back(mark)
		return false
	}
	for i, l := range leaves {
		l.placed = s.teams[i].got
	}
	return true
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// note keeps the best count of children for the reason.
func (b *branch) note(got int) {
	if b.reason.Code == NoReason || b.reason.Code == ShortOfGroups && got > b.reason.Have {
		b.reason = Reason{Code: ShortOfGroups, Have: got, Need: b.g.min}
	}
}

// pinned narrows a scope to the domain in which members of g stand.
func (e *Engine) pinned(g *group, sc scope) scope {
	if g.topology == "" {
		return sc
	}
	k := e.key(g.topology)
	if d, _, ok := e.pin(g, k); ok && d != noDomain {
		return sc.within(k, d)
	}
	return sc
}

// extend binds what is pending beyond the quorums, wherever the groups above are satisfied.
func (e *Engine) extend(b *branch, sc scope) {
	if !b.chosen {
		return
	}
	for _, c := range b.children {
		e.extend(c, sc)
	}
	l := b.leaf
	if l == nil || l.outcome != Placed {
		return
	}
	left := 0
	rest := make([]*kind, 0, len(l.kinds))
	for _, k := range l.kinds {
		r := *k
		r.pods = slices.DeleteFunc(slices.Clone(k.pods), func(p *pod) bool { return p.holds })
		if left += len(r.pods); len(r.pods) > 0 {
			rest = append(rest, &r)
		}
	}
	if left == 0 {
		return
	}
	scopes := []scope{l.where}
	if l.placed == 0 && b.done {
		var ok bool
		if scopes, l.reason, ok = e.candidates(b.g, l.where, 1, left, rest); !ok {
			l.outcome = Error
			return
		}
	}
	for _, s := range scopes {
		if n := e.attempt(rest, s).run(1, left); n > 0 {
			l.placed += n
			return
		}
	}
}

// collect visits the branch and all below, parents first.
func (b *branch) collect(visit func(*branch)) {
	visit(b)
	for _, c := range b.children {
		c.collect(visit)
	}
}
