package engine

import (
	"cmp"
	"slices"
)

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
