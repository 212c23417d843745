package engine

import "slices"

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
	e.tries--
	scopes, why, ok := e.candidates(b.g, sc, b.least, b.pods, b.kinds, treeCandidates)
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

// placeTree satisfies a tree inside a scope so that then succeeds, each group for itself or, if it is small, all jointly.
func (e *Engine) placeTree(b *branch, sc scope, then func() bool) bool {
	tries := b.budget()
	e.tries = tries
	if e.place(b, sc, then) {
		return true
	}
	if b.pods > searchPods || b.hopeless {
		return false
	}
	e.joint, e.tries = true, tries
	defer func() { e.joint = false }()
	return e.place(b, sc, func() bool { return e.jointly(b) && then() })
}

// budget is how many times single groups of a tree are tried.
func (b *branch) budget() int {
	tries := treeTries
	b.collect(func(*branch) { tries += 4 })
	return tries
}

// placeMore places pods beyond the quorums of a tree that is satisfied as it stands. With nothing that has to fit any domain
// is as good as another at first, so that the next one is tried where nobody finds room.
func (e *Engine) placeMore(b *branch) bool {
	e.tries = b.budget()
	return e.place(b, everywhere, func() bool {
		e.extend(b, everywhere)
		return len(e.trail) > 0
	})
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
		if scopes, l.reason, ok = e.candidates(b.g, l.where, 1, left, rest, treeCandidates); !ok {
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
