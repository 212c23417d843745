package engine

import (
	"cmp"
	"slices"
	"strings"
)

// undecided are the claims that the pods of an attempt share and that have no devices yet.
func (a *attempt) undecided() []*deviceClaim {
	var out []*deviceClaim
	for _, k := range a.kinds {
		for _, c := range k.devs {
			if a.e.allocation(c) == nil && !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// decide runs the attempt for one choice of devices for shared claims after the other: the devices decide which nodes
// are left. First come the nodes on which all the pods fit, the tightest first: devices of a node's own keep all pods
// there. Where no choice is right, the pods that use none of the claims are tried alone.
func (a *attempt) decide(open []*deviceClaim, need, want int) int {
	e := a.e
	mark := len(e.trail)
	tried := map[string]bool{} // what nodes a choice left, where these were not enough
	for _, id := range a.seats(open, want) {
		if !e.lodgeShared(open, id) {
			continue
		}
		narrow, name := a.reach(open)
		if name == "" || !tried[name] {
			tried[name] = true
			b := &attempt{e: e, kinds: a.kinds, used: a.used, sc: narrow}
			if n := b.run(need, want); n > 0 {
				return n
			}
		}
		a.reset(mark)
	}
	rest := &attempt{e: e, sc: a.sc}
	var from []int
	for i, k := range a.kinds {
		if !slices.ContainsFunc(k.devs, func(c *deviceClaim) bool { return slices.Contains(open, c) }) {
			rest.kinds, from = append(rest.kinds, k), append(from, i)
		}
	}
	if len(from) == 0 {
		return 0
	}
	rest.used = make([]int, len(from))
	n := rest.run(need, want)
	for i, at := range from {
		a.used[at] = rest.used[i]
	}
	return n
}

// seats are the nodes on which devices for shared claims are worth looking for, best first, equal ones by name.
func (a *attempt) seats(open []*deviceClaim, want int) []int32 {
	room := map[int32]int64{}
	for _, k := range a.kinds {
		if !slices.ContainsFunc(k.devs, func(c *deviceClaim) bool { return slices.Contains(open, c) }) {
			continue
		}
		t := a.e.tableOf(k.shape)
		a.each(t, func(id int32) { room[id] += min(int64(t.cells[id]), int64(len(k.pods))) })
	}
	order := make([]int32, 0, len(room))
	for id := range room {
		order = append(order, id)
	}
	first := func(x, y int32) int { return strings.Compare(a.e.nodes[x].name, a.e.nodes[y].name) }
	slices.SortFunc(order, func(x, y int32) int {
		rx, ry := room[x], room[y]
		if big := int64(want); rx >= big && ry >= big {
			return cmp.Or(cmp.Compare(rx, ry), first(x, y))
		}
		return cmp.Or(cmp.Compare(ry, rx), first(x, y))
	})
	return order[:min(len(order), manyCandidates)]
}

// reach narrows the scope to the nodes that reach the devices just given to claims; name says which these are, and is
// empty for the whole scope.
func (a *attempt) reach(open []*deviceClaim) (sc scope, name string) {
	sc = a.sc
	for _, c := range open {
		s := readSelector(a.e.allocation(c))
		if s.of.NodeSelector == nil {
			continue
		}
		name += s.of.NodeSelector.String() + ";"
		var left []int32
		switch {
		case s.node != "" && sc.all:
			left = []int32{a.e.byName[s.node]}
		case sc.all:
			for _, n := range a.e.nodes {
				if n.exists && s.allows(n) {
					left = append(left, n.id)
				}
			}
		default:
			for _, id := range sc.nodes {
				if s.allows(a.e.nodes[id]) {
					left = append(left, id)
				}
			}
		}
		sc.all, sc.narrowed, sc.nodes = false, true, left
	}
	return sc, name
}
