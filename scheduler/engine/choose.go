package engine

import (
	"slices"
	"sort"
)

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
		set, exact := h.byRank()
		if better(set); exact {
			return best
		}
		best = h.trim(best)
	}
	for _, s := range h.limits() {
		h.limit = s
		better(h.greedy())
	}
	if h.limit = everywhere; best == nil {
		best = h.trim(h.units)
	}
	return best
}

// byRank is what spread finds. Where a budget has to be exceeded, fewer violations come before lower priorities, and both have to
// be weighed: the priorities are then as low as they can be with the fewest violations.
func (h *hunt) byRank() (best []*unit, exact bool) {
	ranks, over := h.ranks()
	top := len(ranks) - 1
	if best, exact = h.upTo(ranks[top]); !over || best == nil {
		return best, exact
	}
	const few = 8
	if top < few {
		for _, rank := range ranks[:top] {
			set, sure := h.upTo(rank)
			if exact = exact && sure; set != nil && costOf(set).Less(costOf(best)) {
				best = set
			}
		}
		return best, exact
	}
	least := costOf(best).Violations
	sort.Search(top, func(i int) bool {
		set, sure := h.upTo(ranks[i])
		if set == nil {
			return false
		}
		c := costOf(set)
		if exact = exact && sure; c.Less(costOf(best)) {
			best = set
		}
		return c.Violations <= least
	})
	return best, exact
}

// upTo is what spread finds among the units of no higher rank.
func (h *hunt) upTo(rank int) (set []*unit, exact bool) {
	all := h.units
	defer func() { h.units = all }()
	h.units = slices.DeleteFunc(slices.Clone(all), func(u *unit) bool { return u.rank > rank })
	return h.spread()
}

// ranks are those of the units, each once, the lowest first. over: some unit goes beyond a budget.
func (h *hunt) ranks() (out []int, over bool) {
	for _, u := range h.units {
		over = over || u.over > 0
		if i, known := slices.BinarySearch(out, u.rank); !known {
			out = slices.Insert(out, i, u.rank)
		}
	}
	return out, over
}

// trim leaves out whom the root does not need gone after all, the most important first, as far as spare goes.
func (h *hunt) trim(set []*unit) []*unit {
	e := h.e
	for _, u := range set {
		e.remove(u)
	}
	order := slices.SortedFunc(slices.Values(set), cheaper)
	slices.Reverse(order)
	h.spare(order)
	out := away(set)
	for _, u := range out {
		e.restore(u)
	}
	return out
}

// narrow leaves out who need not be considered: those whose eviction goes beyond a budget, if the others are enough, and
// then those of a higher priority than is needed. Where budgets have to be exceeded nobody is left out: one unit that
// exceeds them by two may do for two that do so by one each, and one of a high priority for two of a low one.
func (h *hunt) narrow() {
	e := h.e
	all := h.units // cheapest first: by budgets, then by priority
	defer func() {
		for _, u := range all {
			e.restore(u)
		}
	}()
	for n := 1; n < len(all) && all[n-1].over == 0; n++ {
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
	out := e.every(k)
	slices.SortStableFunc(out, func(a, b scope) int { return touched[a.domain] - touched[b.domain] })
	if len(out) > manyLimits {
		out = out[:manyLimits]
	}
	return append(out, everywhere)
}

// every is each domain of a key that has nodes, in an order that a process that starts anew would find, too.
func (e *Engine) every(k *topologyKey) []scope {
	var order []int32
	for d, members := range k.members {
		if len(members) > 0 {
			order = append(order, int32(d))
		}
	}
	slices.SortFunc(order, func(a, b int32) int { return e.tie(k.values[a], k.values[b]) })
	out := make([]scope, 0, len(order))
	for _, d := range order {
		out = append(out, everywhere.within(k, d))
	}
	return out
}

// manyLimits bounds the domains that are looked at one by one.
const manyLimits = 128
