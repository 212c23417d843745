package engine

import (
	"slices"
)

// hunt is one search for victims: who is to be placed, and who may have to go.
type hunt struct {
	e        *Engine
	root     Root
	priority int32
	g        *group // nil for a lone pod
	leaf     *leaf  // nil for a tree
	all      bool   // as many pods as can be, not just the quorum
	need     int    // of a leaf: pods that must fit
	kinds    []*kind
	pods     int  // that are pending
	plain    bool // where they may be depends on no other pods' labels and on no claims
	monotone bool // with fewer pods around they never fit worse: they ask for nobody's company
	ending   unit // all pods that end anyway
	units    []*unit
	limit    scope // the domain that is looked at
}

// target sets how many pods of a leaf must fit. Where all count, it is as many as are placed without those that are away.
func (h *hunt) target() {
	if h.leaf == nil || !h.all {
		return
	}
	mark := len(h.e.trail)
	h.need = max(1, h.leaf.need, h.place(max(1, h.leaf.need)))
	h.e.back(mark)
}

// place places as many pods of a leaf as Solve would, if they are at least so many; the trail holds them.
func (h *hunt) place(least int) int {
	for _, s := range h.scopes(least, h.pods) {
		if n := h.e.attempt(h.leaf.kinds, s).run(least, h.pods); n > 0 {
			return n
		}
	}
	return 0
}

// simple: equal pods whose place depends on nothing but what the table of their shape knows.
func (h *hunt) simple() bool {
	return h.leaf != nil && len(h.leaf.kinds) == 1 && h.leaf.kinds[0].simple
}

// scopes are where a leaf may go as the cluster is now, inside the limit.
func (h *hunt) scopes(need, want int) []scope {
	most := manyCandidates
	if h.simple() {
		most = 1
	}
	out, _, ok := h.e.candidates(h.leaf.g, h.limit, need, want, h.leaf.kinds, most)
	if !ok {
		return nil
	}
	return out
}

// fits reports whether what must be placed together fits as the cluster is now.
func (h *hunt) fits() bool {
	if h.simple() {
		t := h.e.tableOf(h.leaf.kinds[0].shape)
		return slices.ContainsFunc(h.scopes(h.need, h.need), func(s scope) bool { return t.room(s) >= int64(h.need) })
	}
	mark := len(h.e.trail)
	ok := h.try()
	h.e.back(mark)
	return ok
}

// try places what must be placed together; the trail holds it.
func (h *hunt) try() bool {
	e := h.e
	e.steps = e.opts.SearchSteps
	switch {
	case h.leaf == nil:
		return e.placeTree(e.branchOf(h.g, h.g), h.limit, func() bool { return true })
	case h.all: // as Solve does it: more may be possible, but is not found
		return h.place(max(1, h.leaf.need)) >= h.need
	}
	return slices.ContainsFunc(h.scopes(h.need, h.need), func(s scope) bool {
		return e.attempt(h.leaf.kinds, s).run(h.need, h.need) > 0
	})
}

// choose finds who has to go. All units together are enough.
func (h *hunt) choose() []*unit {
	if h.budgeted() || !h.monotone { // what narrow leaves out could be the better choice
		if set, ok := h.exact(); ok {
			return set
		}
	}
	h.narrow()
	if set, ok := h.exact(); ok {
		return set
	}
	var best []*unit
	better := func(set []*unit) {
		if set != nil && (best == nil || costOf(set).Less(costOf(best))) {
			best = set
		}
	}
	if h.simple() {
		exact := true
		all := h.units
		for _, rank := range h.ranks() {
			h.units = slices.DeleteFunc(slices.Clone(all), func(u *unit) bool { return u.rank > rank })
			set, sure := h.spread()
			exact = exact && sure
			better(set)
		}
		if h.units = all; exact {
			return best
		}
		best = h.trim(best)
	}
	for _, s := range h.limits() {
		h.limit = s
		better(h.greedy())
	}
	h.limit = everywhere
	return best
}

// ranks are the highest ranks to try: only the highest there is, but where a budget has to be exceeded. Then fewer
// violations come before lower priorities, and both have to be weighed.
func (h *hunt) ranks() []int {
	const most = 8
	var out []int
	over := false
	for _, u := range h.units {
		over = over || u.over > 0
		if i, known := slices.BinarySearch(out, u.rank); !known {
			out = slices.Insert(out, i, u.rank)
		}
	}
	if n := len(out); !over || n > most {
		return out[n-1:]
	}
	return out
}

// trim leaves out whom the root does not need gone after all, the most important first.
func (h *hunt) trim(set []*unit) []*unit {
	e := h.e
	for _, u := range set {
		e.remove(u)
	}
	order := slices.SortedFunc(slices.Values(set), cheaper)
	out := slices.Clone(set)
	for _, u := range slices.Backward(order) {
		e.restore(u)
		if h.fits() {
			out = slices.DeleteFunc(out, func(o *unit) bool { return o == u })
			continue
		}
		e.remove(u)
	}
	for _, u := range out {
		e.restore(u)
	}
	return out
}

// narrow leaves out who need not be considered: those whose eviction goes beyond a budget, if the others are enough, and
// those of a higher priority than is needed.
func (h *hunt) narrow() {
	e := h.e
	all := h.units // cheapest first: by budgets, then by priority
	defer func() {
		for _, u := range all {
			e.restore(u)
		}
	}()
	for n := 1; n < len(all); n++ {
		e.remove(all[n-1])
		if (all[n].over != all[n-1].over || all[n].rank != all[n-1].rank) && h.fits() {
			h.units = all[:n]
			return
		}
	}
}

// budgeted: some budget is neither used up nor large enough, so that it matters which of its pods are taken.
func (h *hunt) budgeted() bool {
	selected := map[*budget]int{}
	for _, u := range h.units {
		for _, b := range u.charged {
			selected[b]++
		}
	}
	for b, n := range selected {
		if b.allowed > 0 && n > b.allowed {
			return true
		}
	}
	return false
}

// limits are the domains looked at one by one, so that what is cheap in one is not missed because another looks roomier
// when it is emptied.
func (h *hunt) limits() []scope {
	e := h.e
	key := ""
	switch {
	case h.g != nil:
		key = h.g.topology
	case !h.plain:
		key = "kubernetes.io/hostname" // of a lone pod that follows rules
	}
	if key == "" {
		return []scope{everywhere}
	}
	k := e.key(key)
	if h.g != nil {
		if d, _, ok := e.pin(h.g, k); ok && d != noDomain {
			return []scope{everywhere.within(k, d)}
		}
	}
	touched := map[int32]int{}
	for _, u := range h.units {
		for _, id := range u.at {
			if d := k.of[id]; d != noDomain {
				touched[d]++
			}
		}
	}
	var out []scope
	for d, members := range k.members {
		if len(members) > 0 {
			out = append(out, everywhere.within(k, int32(d)))
		}
	}
	slices.SortStableFunc(out, func(a, b scope) int { return touched[a.domain] - touched[b.domain] })
	if len(out) > manyLimits {
		out = out[:manyLimits]
	}
	return append(out, everywhere)
}

// manyLimits bounds the domains that are looked at one by one.
const manyLimits = 128
