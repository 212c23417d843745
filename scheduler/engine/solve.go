package engine

import "slices"

// treeTries bounds, together with a few for each group, how many times single groups are tried while a tree is solved.
const treeTries = 512

// Solve decides about one root with the cluster as it is known now. It changes nothing that later answers depend on:
// what is to be carried out must be told with Assume. A root that is not known, or has nothing pending, is Idle.
func (e *Engine) Solve(r Root) Decision {
	d := Decision{Root: r}
	if e.cohorts.built && !e.trial {
		e.follow() // a little with each question, so that a new shape is not kept waiting
	}
	defer e.enter(r)()
	e.decide(&d)
	return d
}

// decide solves the root that was entered.
func (e *Engine) decide(d *Decision) {
	r := d.Root
	e.steps = e.opts.SearchSteps
	switch r.Kind {
	case KindPod:
		if p := e.pods[r.Key]; p != nil && p.group == nil && (p.phase == pending || p.phase == gated) {
			e.solveLeaf(d, e.lone(p))
		}
	default:
		g := e.groups[groupKey{r.Kind, r.Key}]
		if g == nil || e.rootOfGroup(g) != r {
			break
		}
		if _, flaw := climb(g); flaw.Code != NoReason {
			e.refuse(d, g, Error, flaw)
		} else if r.Kind == KindPodGroup {
			e.solveLeaf(d, e.leafOf(g, g))
		} else {
			e.solveTree(d, g)
		}
	}
	e.checkLodged(d)
	e.revoke(d)
}

// begin opens a trial: what is placed until end is taken back. Trials nest. Tables that somebody waits on are read first,
// so that the ups and downs of the trial are not taken for room that came free.
func (e *Engine) begin() {
	if e.trials++; e.trials > 1 {
		return
	}
	for s := range e.waiting.shapes {
		if s.refs > 0 && s.table != nil {
			e.refresh(s.table)
		}
	}
	e.trial = true
}

func (e *Engine) end() {
	e.back(0)
	if e.trials--; e.trials > 0 {
		return
	}
	for _, t := range e.lifted {
		e.refresh(t)
		t.lifted = false
	}
	e.lifted = e.lifted[:0]
	e.trial = false
}

// solveLeaf decides about a lone pod or a PodGroup without parent.
func (e *Engine) solveLeaf(d *Decision, l *leaf) {
	if l.outcome == Placed {
		e.solveOne(d, l)
	}
	d.Outcome, d.Reason = l.outcome, l.reason
	if l.g != nil {
		d.Groups = append(d.Groups, l.result(l.outcome, l.reason))
	}
	e.leftovers(d, l)
	e.remember(d.Root, []*leaf{l})
}

// solveOne places a leaf. Equal pods without rules need no trial: the table says which nodes take how many.
func (e *Engine) solveOne(d *Decision, l *leaf) {
	simple := len(l.kinds) == 1 && l.kinds[0].simple
	most := manyCandidates
	if simple {
		most = 1
	}
	scopes, why, ok := e.candidates(l.g, everywhere, l.need, len(l.pods), l.kinds, most)
	if !ok {
		l.outcome, l.reason = Error, why
		return
	}
	l.reason = why
	need := max(l.need, 1)
	if simple && !e.asksDevices(l.kinds[0].shape) {
		k := l.kinds[0]
		for _, s := range scopes {
			if e.supplyOf(k.shape, s, nil).room(s) < int64(need) {
				continue
			}
			for _, as := range e.fill(e.tableOf(k.shape), s, len(k.pods)) {
				for range as.copies {
					d.Placements = append(d.Placements, e.placement(step{pod: k.pods[l.placed], node: as.node}))
					l.placed++
				}
			}
			l.where = s
			break
		}
	} else if !e.outOfReach(l.kinds, scopes, need) {
		e.begin()
		for _, s := range scopes {
			if l.placed = e.attempt(l.kinds, s).run(need, len(l.pods)); l.placed > 0 {
				l.where = s
				break
			}
		}
		e.report(d)
		e.end()
	}
	l.conclude(e, scopes, need)
}

// conclude sets outcome and reason after a try.
func (l *leaf) conclude(e *Engine, scopes []scope, need int) {
	switch {
	case l.placed == 0:
		l.outcome = Unschedulable
		if l.reason.Code == NoReason {
			l.reason = e.shortage(l.kinds, scopes[0], need)
		}
	case l.placed < len(l.pods):
		l.outcome, l.reason = Placed, Reason{Code: NoRoom, Have: l.placed, Need: len(l.pods)}
	default:
		l.outcome, l.reason = Placed, Reason{}
	}
}

// report turns the trail into placements.
func (e *Engine) report(d *Decision) {
	for i := range e.trail {
		if s := &e.trail[i]; s.pod != nil {
			d.Placements = append(d.Placements, e.placement(*s))
		}
	}
}

func (e *Engine) placement(s step) Placement {
	p, id := s.pod, s.node
	return Placement{Pod: PodRef{p.Key, p.uid}, Node: e.nodes[id].name, Claims: unbound(p), Devices: e.deviceClaims(&s)}
}

// solveTree decides about a tree of groups.
func (e *Engine) solveTree(d *Decision, g *group) {
	b := e.branchOf(g, g)
	e.begin()
	if !b.done || !e.placeMore(b) {
		e.placeTree(b, everywhere, func() bool {
			e.extend(b, everywhere)
			return true
		})
	}
	e.report(d)
	e.end()
	e.results(d, b, b, nil)
	var leaves []*leaf
	b.collect(func(x *branch) {
		if x.leaf != nil {
			leaves = append(leaves, x.leaf)
			e.leftovers(d, x.leaf)
		}
	})
	d.Outcome, d.Reason = d.Groups[0].Outcome, d.Groups[0].Reason
	e.remember(d.Root, leaves)
}

// refuse is the decision for a group that cannot be tried at all.
func (e *Engine) refuse(d *Decision, g *group, o Outcome, r Reason) {
	l := &leaf{g: g, outcome: o, reason: r}
	d.Outcome, d.Reason = o, r
	above := []*group{}
	for a := g.parent; a != nil && a != g && !slices.Contains(above, a); a = a.parent {
		above = append(above, a)
	}
	for _, a := range slices.Backward(above) { // what is wrong is wrong with them as much
		d.Groups = append(d.Groups, GroupResult{Kind: a.kind, Key: a.Key, UID: a.uid, Generation: a.generation, Exists: a.exists, Outcome: o, Reason: r})
	}
	d.Groups = append(d.Groups, l.result(o, r))
	e.leftovers(d, l)
}

// leftovers lists the pending pods of a leaf that the decision does not place.
func (e *Engine) leftovers(d *Decision, l *leaf) {
	list := []*pod{l.alone}
	if l.g != nil {
		list = l.g.waiting
	}
	if l.placed == len(list) {
		return
	}
	var placed map[Key]bool
	if l.placed > 0 {
		placed = make(map[Key]bool, len(d.Placements))
		for _, pl := range d.Placements {
			placed[pl.Pod.Key] = true
		}
	}
	d.Left = slices.Grow(d.Left, len(list)-l.placed)
	for _, p := range list {
		if p.phase != pending || placed[p.Key] {
			continue
		}
		r, ok := l.held[p]
		if !ok {
			r = l.reason
		}
		d.Left = append(d.Left, Leftover{Pod: PodRef{p.Key, p.uid}, Reason: r, held: ok})
	}
}

// remember notes what the root waits for, so that Woken names it when there is hope.
func (e *Engine) remember(r Root, leaves []*leaf) {
	if e.hunting {
		return
	}
	for _, l := range leaves {
		if l.outcome == Idle || l.placed == len(l.pods) && len(l.held) == 0 {
			continue
		}
		if l.outcome == Error && l.reason.Code != DomainLost && l.reason.Code != DomainSplit {
			continue // only a change of its own objects helps
		}
		if l.outcome == Error || len(l.held) > 0 || slices.ContainsFunc(l.kinds, func(k *kind) bool { return !k.simple }) {
			e.blockAny(r)
			continue
		}
		need := 1
		if l.placed == 0 && len(leaves) == 1 && len(l.kinds) == 1 {
			need = max(1, l.need)
		}
		for _, k := range l.kinds {
			e.block(r, k.shape, need)
		}
	}
}
