package engine

import "fmt"

// Preempt asks what evictions would give a root a place for which Solve has just found none. What must be placed together
// fits once the victims are gone, or nobody is a victim; no victim is named for members beyond that, unless
// Options.PreemptForAll says so. Victims are chosen by the order of Cost: exactly where all of them are single-node units
// and the pods to be placed are equal and follow no rules about other pods, and in small cases; else so that none of them
// can be spared. It changes nothing that later answers depend on.
func (e *Engine) Preempt(r Root) Plan { return e.plan(r, (*hunt).choose) }

// plan is Preempt with a way to choose the victims; all units together are enough when it is asked.
func (e *Engine) plan(r Root, choose func(*hunt) []*unit) Plan {
	p := Plan{Root: r}
	h, why := e.hunt(r)
	if h == nil {
		p.Why = why
		return p
	}
	claimed := len(e.yielding(r)) > 0 // room is being made, for it or for others who yield to it, or comes anyway
	defer e.enter(r)()
	e.begin()
	defer e.end()
	e.hunting = true
	defer func() { e.hunting = false }()
	if e.lendAbandoned() {
		claimed = true
		defer e.reclaim()
	}
	fault := &e.opts.Fault
	ending, units := e.underlings(h.priority)
	for _, x := range ending {
		_, standing := e.unitOf(x)
		claimed = claimed || !fault.protects(standing, h.priority)
	}
	if len(units) == 0 && !claimed {
		p.Why = "nothing of lower priority runs"
		return p
	}
	for _, x := range ending {
		h.ending.pods, h.ending.at = append(h.ending.pods, x), append(h.ending.at, x.node)
	}
	e.remove(&h.ending)
	defer e.restore(&h.ending)
	if h.fits() {
		p.Kind = Wait
		e.propose(&p, h)
		return p
	}
	h.units = units
	for _, u := range units {
		e.remove(u)
	}
	h.target()
	fits := h.fits()
	for _, u := range units {
		e.restore(u)
	}
	var chosen []*unit
	switch {
	case fits:
		chosen = choose(h)
	case len(units) == 0:
		p.Why = "nothing of lower priority runs"
		return p
	case !h.monotone:
		chosen, _ = h.exact()
	}
	switch {
	case chosen == nil && fault.InVain:
		chosen = units
	case chosen != nil && fault.AllVictims:
		chosen = withBystanders(chosen, units, p.Root.Namespace)
	}
	if chosen == nil {
		p.Why = "would not fit even without " + ofLower(len(units))
		return p
	}
	for _, u := range chosen {
		e.remove(u)
	}
	p.Kind, p.Cost = Evict, costOf(chosen)
	e.propose(&p, h)
	for _, u := range chosen {
		e.restore(u)
		p.add(e, u)
	}
	return p
}

// propose fills in where the pods would go, now that the room is there. Seats that are still good are kept.
func (e *Engine) propose(p *Plan, h *hunt) {
	if nom := e.nominated[p.Root]; nom != nil && p.Kind == Wait && e.stillGood(nom) {
		p.Kept = true
		for _, s := range nom.seats {
			p.Placements = append(p.Placements, Placement{Pod: s.pod, Node: e.nodes[s.node].name})
		}
	} else {
		d := Decision{Root: p.Root}
		e.decide(&d)
		p.Placements = d.Placements
		if d.Outcome != Placed { // what was found for the quorum alone
			mark := len(e.trail)
			h.try()
			d = Decision{}
			e.report(&d)
			e.back(mark)
			p.Placements = d.Placements
		}
	}
	p.await(e, h)
}

// stillGood reports whether all pods that were nominated wait and may still go to their nodes, together. Labels of nodes must not have
// changed, so that they are in the domains they were to be in.
func (e *Engine) stillGood(nom *nomination) bool {
	if nom.moves != e.moves || len(nom.seats) < nom.size {
		return false
	}
	mark := len(e.trail)
	defer e.back(mark)
	for _, s := range nom.seats {
		p := e.pods[s.pod.Key]
		if p == nil || p.uid != s.pod.UID || p.phase != pending {
			return false
		}
		k := e.kindsOf([]*pod{p})[0]
		e.prepare(k)
		if !e.nodes[s.node].exists || e.copies(k.shape, e.nodes[s.node]) == 0 || !e.legal(k, s.node) {
			return false
		}
		e.try(p, s.node)
	}
	return true
}

// add names a unit's pods as victims, and the groups disrupted with it.
func (p *Plan) add(e *Engine, u *unit) {
	for _, x := range u.pods {
		p.Victims = append(p.Victims, PodRef{x.Key, x.uid})
		p.awaited[x.Key] = x.uid
	}
	if u.owner != nil {
		e.walk(u.owner, 0, func(g *group) {
			if g.exists {
				p.Groups = append(p.Groups, GroupRef{g.kind, g.Key, g.uid, g.generation})
			}
		})
	}
}

// ofLower are so many units of lower priority in words: a group that is evicted as a whole counts once.
func ofLower(n int) string {
	if n == 1 {
		return "the one pod or group of lower priority that runs"
	}
	return fmt.Sprintf("the %d pods and groups of lower priority that run", n)
}
