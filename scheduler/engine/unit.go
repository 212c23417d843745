package engine

import (
	"cmp"
	"slices"
)

// unit is what is evicted together: a pod, or all pods below a group whose disruption mode is all.
type unit struct {
	owner    *group // nil for a pod
	pods     []*pod
	at       []int32 // their nodes
	priority int32
	rank     int // of the priority among those of all units, from 0
	// charged are the budgets that select its pods, once for each pod.
	charged []*budget
	// over: evicting it goes beyond a budget, if the cheaper ones that the budget selects are evicted, too.
	over int
	out  bool // taken away at the moment
}

// unitOf is the topmost group with disruption mode all above a pod (nil for none), and the priority that protects it:
// that of the topmost group that exists. A pod whose group does not exist stands for itself.
func (e *Engine) unitOf(p *pod) (owner *group, priority int32) {
	priority = p.priority
	for g, depth := p.group, 0; g != nil && g.exists && depth <= maxDepth; g, depth = g.parent, depth+1 {
		if priority = g.priority; e.opts.Fault.PodPriority {
			priority = p.priority
		}
		if g.all {
			owner = g
		}
	}
	return owner, priority
}

// ending: the pod is on its way out, by its deletion or because it was chosen as a victim.
func (p *pod) ending() bool { return p.terminating || p.doomed }

// underlings are the pods that end anyway, and the units of lower priority than the given one, cheapest first.
func (e *Engine) underlings(priority int32) (ending []*pod, units []*unit) {
	owned := map[*group]*unit{}
	for _, p := range e.pods {
		switch {
		case !p.holds:
		case p.ending():
			ending = append(ending, p)
		default:
			owner, standing := e.unitOf(p)
			if e.opts.Fault.protects(standing, priority) {
				continue
			}
			u := owned[owner]
			if u == nil || owner == nil {
				u = &unit{owner: owner, priority: standing}
				units = append(units, u)
				if owner != nil {
					owned[owner] = u
				}
			}
			u.pods = append(u.pods, p)
		}
	}
	slices.SortFunc(ending, older)
	levels := make([]int32, 0, 8)
	for _, u := range units {
		slices.SortFunc(u.pods, older)
		for _, p := range u.pods {
			u.at = append(u.at, p.node)
			u.charged = append(u.charged, e.budgetsOf(p.labels)...)
		}
		if i, known := slices.BinarySearch(levels, u.priority); !known {
			levels = slices.Insert(levels, i, u.priority)
		}
	}
	for _, u := range units {
		u.rank, _ = slices.BinarySearch(levels, u.priority)
		if e.opts.Fault.TopVictims {
			u.rank, u.priority = len(levels)-u.rank, -u.priority
		}
	}
	slices.SortFunc(units, cheaper)
	charge(units)
	return ending, units
}

// cheaper orders units: lower priority first, then fewer pods, then the younger, so that what ran longest stays.
func cheaper(a, b *unit) int {
	switch {
	case a.over != b.over:
		return a.over - b.over
	case a.rank != b.rank:
		return a.rank - b.rank
	case len(a.pods) != len(b.pods):
		return len(a.pods) - len(b.pods)
	}
	return older(b.pods[0], a.pods[0])
}

// charge lets the units, cheapest first, use up what the budgets allow, and notes by how much each goes beyond.
func charge(units []*unit) {
	used := map[*budget]int{}
	any := false
	for _, u := range units {
		for _, b := range u.charged {
			if used[b]++; used[b] > b.allowed {
				u.over++
				any = true
			}
		}
	}
	if any {
		slices.SortStableFunc(units, cheaper)
	}
}

// Cost is what evicting somebody costs; what comes first counts most.
type Cost struct {
	Violations int // pods by which budgets are exceeded, counted for each budget
	// Priority is the highest of the units; without meaning when there are none.
	Priority int32
	Units    int
	Pods     int
	ranks    int // of all units together: of equal choices the one of lower priorities
}

// Less reports whether c is the lower cost. Nothing costs less than no units at all.
func (c Cost) Less(o Cost) bool {
	if c.Units == 0 || o.Units == 0 {
		return c.Units == 0 && o.Units > 0
	}
	return cmp.Or(cmp.Compare(c.Violations, o.Violations), cmp.Compare(c.Priority, o.Priority), cmp.Compare(c.Units, o.Units),
		cmp.Compare(c.Pods, o.Pods), cmp.Compare(c.ranks, o.ranks)) < 0
}

// costOf adds up what a choice costs.
func costOf(units []*unit) Cost {
	var c Cost
	var used map[*budget]int
	for _, u := range units {
		if c.Units == 0 || u.priority > c.Priority {
			c.Priority = u.priority
		}
		c.Units++
		c.Pods += len(u.pods)
		c.ranks += u.rank
		if used == nil && len(u.charged) > 0 {
			used = map[*budget]int{}
		}
		for _, b := range u.charged {
			if used[b]++; used[b] > b.allowed {
				c.Violations++
			}
		}
	}
	return c
}

// remove takes the room of a unit's pods for the length of a trial; restore gives it back. The pods still know where they
// stand: members of the root that end still pin its domain.
func (e *Engine) remove(u *unit) {
	if !u.out {
		u.out = true
		for i, p := range u.pods {
			e.take(p)
			p.node = u.at[i]
		}
	}
}

func (e *Engine) restore(u *unit) {
	if u.out {
		u.out = false
		for i, p := range u.pods {
			e.put(p, u.at[i])
		}
	}
}
