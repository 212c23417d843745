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

// note keeps the best count of children for the reason.
func (b *branch) note(got int) {
	if b.reason.Code == NoReason || b.reason.Code == ShortOfGroups && got > b.reason.Have {
		b.reason = Reason{Code: ShortOfGroups, Have: got, Need: b.g.min}
	}
}

// collect visits the branch and all below, parents first.
func (b *branch) collect(visit func(*branch)) {
	visit(b)
	for _, c := range b.children {
		c.collect(visit)
	}
}
