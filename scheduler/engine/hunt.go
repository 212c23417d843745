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
	devices  bool // some of them ask for devices
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

// hunt looks at what is to be placed; nil where preemption is out of the question.
func (e *Engine) hunt(r Root) (*hunt, string) {
	h := &hunt{e: e, root: r, limit: everywhere, priority: e.priorityOf(r)}
	if r.Kind == KindPod {
		p := e.pods[r.Key]
		if p == nil || p.group != nil || p.phase != pending {
			return nil, ""
		}
		h.need = 1
		return h.over(e.lone(p), nil).unless(p.never)
	}
	g := e.groups[groupKey{r.Kind, r.Key}]
	if g == nil || !g.exists || e.rootOfGroup(g) != r {
		return nil, ""
	}
	if _, flaw := climb(g); flaw.Code != NoReason {
		return nil, ""
	}
	h.g = g
	if r.Kind == KindPodGroup {
		h.over(e.leafOf(g, g), nil)
		if h.need = h.leaf.need; h.need == 0 && g.gang && !e.opts.PreemptForAll {
			return nil, "the quorum stands, and nobody is evicted for members beyond it"
		}
		h.all = !g.gang || e.opts.PreemptForAll
		h.need = max(1, h.need) // who ends anyway is worth waiting for if that helps anybody
	} else if b := e.branchOf(g, g); b.hopeless || b.done {
		return nil, ""
	} else {
		h.over(nil, b)
	}
	is := g.policy == never
	e.walk(g, 0, func(c *group) {
		is = is || g.policy == unsaid && slices.ContainsFunc(c.waiting, func(p *pod) bool { return p.never })
	})
	return h.unless(is)
}

// over sets what is to be placed: a leaf or a tree.
func (h *hunt) over(l *leaf, b *branch) *hunt {
	if h.leaf = l; l != nil {
		h.kinds, h.pods = l.kinds, len(l.pods)
	} else {
		h.kinds, h.pods = b.kinds, b.pods
	}
	h.monotone = !slices.ContainsFunc(h.kinds, func(k *kind) bool {
		return k.shape.rules != nil && len(k.shape.rules.affinity)+len(k.shape.rules.spreads) > 0
	})
	h.devices = slices.ContainsFunc(h.kinds, func(k *kind) bool { return h.e.asksDevices(k.shape) || len(k.pods[0].uses) > 0 })
	h.plain = !slices.ContainsFunc(h.kinds, func(k *kind) bool { return !k.simple })
	return h
}

// unless is the hunt, but where it cannot be tried or the policy forbids it.
func (h *hunt) unless(never bool) (*hunt, string) {
	switch {
	case h.leaf != nil && h.leaf.outcome != Placed:
		return nil, ""
	case never:
		return nil, "its preemptionPolicy is Never"
	}
	return h, ""
}
