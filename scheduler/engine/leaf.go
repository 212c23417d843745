package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// leaf is what an attempt knows of a lone pod or of a PodGroup.
type leaf struct {
	g     *group // nil for a lone pod
	alone *pod   // nil for a group
	pods  []*pod // that may be placed
	kinds []*kind
	need  int // so many must be placed at the same time
	// outcome is not Placed when nothing can be tried, and reason says why.
	outcome Outcome
	reason  Reason
	held    map[*pod]Reason // pending members that cannot be placed wherever it is

	placed int   // in this attempt
	where  scope // of the members placed
}

// lone is the leaf of a pod without group.
func (e *Engine) lone(p *pod) *leaf {
	l := &leaf{alone: p, need: 1, outcome: Placed}
	if p.phase == gated {
		l.outcome, l.reason = Waiting, Reason{Code: Gated, Have: 1, Object: p.Key.String()}
		return l
	}
	l.admit(e, []*pod{p})
	return l
}

// leafOf looks at a PodGroup: whether anything can be tried, and how many members must be placed.
func (e *Engine) leafOf(g *group, top *group) *leaf {
	l := &leaf{g: g, outcome: Placed, need: g.short()}
	g.order()
	gates := 0
	var gate *pod
	free := make([]*pod, 0, len(g.waiting))
	for _, p := range g.waiting {
		if p.phase == gated {
			gates++
			if gate == nil {
				gate = p
			}
		} else {
			free = append(free, p)
		}
	}
	stop := func(o Outcome, r Reason) *leaf {
		l.outcome, l.reason = o, r
		return l
	}
	switch {
	case !g.exists:
		return stop(Waiting, Reason{Code: GroupMissing, Object: g.Key.String()})
	case len(g.waiting) == 0 && l.need == 0:
		return stop(Idle, Reason{})
	}
	if why := g.disagree(top); why != "" {
		return stop(Error, Reason{Code: Mixed, Detail: why})
	}
	if have := g.standing() + len(free) + gates + g.ghosts; g.gang && have < g.min && l.need > 0 {
		return stop(Waiting, Reason{Code: ShortOfMembers, Have: have, Need: g.min})
	}
	// A gated member holds a gang that has not met its quorum: the place is chosen for all members at once.
	if gates > 0 && (g.gang && !g.met && l.need > 0 || len(free) == 0) {
		return stop(Waiting, Reason{Code: Gated, Have: gates, Object: gate.Key.String()})
	}
	l.need = e.opts.Fault.required(l.need)
	l.admit(e, free)
	return l
}

// admit takes the pods that can be placed somewhere and groups them. Others are held, each with its reason: they ask for
// what is not supported, or their claims are not ready. One that cannot be read stops the whole group.
func (l *leaf) admit(e *Engine, pods []*pod) {
	var first Reason // of those held
	for _, p := range pods {
		r := p.shape.flaw
		if r.Code == NoReason {
			r = e.volumesReady(p)
		}
		if r.Code == NoReason {
			r = e.devicesReady(p)
		}
		if r.Code == NoReason {
			l.pods = append(l.pods, p)
			continue
		}
		if r.Code == Unsupported || r.Code == Invalid {
			r.Object = p.Key.String()
		}
		if r.Code == Invalid {
			l.outcome, l.reason = Error, r
			return
		}
		if l.held == nil {
			l.held, first = map[*pod]Reason{}, r
		}
		l.held[p] = r
	}
	if len(l.pods) < max(1, l.need) {
		l.outcome, l.reason = Waiting, first
		if first.Code == Unsupported || first.Code == DeviceClassMissing || first.Code == DeviceFault {
			l.outcome = Unschedulable
		}
		return
	}
	l.kinds = e.kindsOf(l.pods)
}

// disagree says on what the members do not agree that must: scheduler name, the root group's priority, and preemption
// policy (the root group's, if it has one).
func (g *group) disagree(top *group) string {
	var first *pod
	for _, list := range [][]*pod{g.waiting, g.settled} {
		for _, p := range list {
			switch {
			case p.phase == finished:
				continue
			case first == nil:
				first = p
			case p.scheduler != first.scheduler:
				return fmt.Sprintf("schedulerName %q of pod %s, %q of pod %s", first.scheduler, first.Key, p.scheduler, p.Key)
			case top.policy == unsaid && p.never != first.never:
				return fmt.Sprintf("preemptionPolicy of pods %s and %s", first.Key, p.Key)
			}
			if p.priority != top.priority {
				return fmt.Sprintf("priority %d of pod %s, %d of %s %s", p.priority, p.Key, top.priority, top.kind, top.Key)
			}
			if top.policy != unsaid && p.never != (top.policy == never) {
				return fmt.Sprintf("preemptionPolicy of pod %s and %s %s", p.Key, top.kind, top.Key)
			}
		}
	}
	return ""
}

// pin finds the domain of g's topology key in which members of g and below stand already. ok is false where that is no
// single domain; then the reason says so.
func (e *Engine) pin(g *group, k *topologyKey) (domain int32, r Reason, ok bool) {
	domain = noDomain
	found := map[string]bool{}
	e.walk(g, 0, func(c *group) {
		for _, p := range c.settled {
			d := k.of[p.node]
			switch {
			case d != noDomain:
				found[k.values[d]] = true
				domain = d
			case p.phase == bound && r.Code == NoReason:
				r = Reason{Code: DomainLost, Key: k.name, Object: p.Key.String()}
			}
		}
	})
	if len(found) > 1 {
		r = Reason{Code: DomainSplit, Key: k.name, Detail: strings.Join(slices.Sorted(maps.Keys(found)), ", ")}
	}
	return domain, r, r.Code == NoReason
}

// candidates are the scopes a group may be placed in, best first: its one scope without constraint, the domain it is
// pinned to, or the domains inside the scope that can hold what it must place. Of those the tightest that takes
// everything comes first, so that domains with more room stay whole; where none does, the roomiest.
// No more than most are returned.
func (e *Engine) candidates(g *group, sc scope, need, want int, kinds []*kind, most int) ([]scope, Reason, bool) {
	if g == nil || g.topology == "" {
		return []scope{sc}, Reason{}, true
	}
	k := e.key(g.topology)
	pinned, r, ok := e.pin(g, k)
	if !ok {
		return nil, r, false
	}
	left := int32(noDomain)
	if pinned != noDomain && e.opts.Fault.leaves(e, g) {
		left, pinned = pinned, noDomain
	}
	if pinned != noDomain && !e.opts.Fault.StaysApart {
		return []scope{sc.within(k, pinned)}, Reason{}, true
	}
	room := e.roomOf(kinds, k, sc)
	if e.opts.Fault.Quadratic {
		for d := range room {
			room[d] = e.roomOf(kinds, k, sc)[d]
		}
	}
	order := make([]int32, 0, 16)
	best := int32(noDomain)
	for d := range room {
		if len(k.members[d]) == 0 || int32(d) == left || e.opts.Fault.FirstDomain && !k.first(int32(d)) {
			continue
		}
		if best == noDomain || room[d] > room[best] || room[d] == room[best] && k.values[d] < k.values[best] {
			best = int32(d)
		}
		if room[d] >= int64(max(need, 1)) {
			order = append(order, int32(d))
		}
	}
	if len(order) == 0 {
		r = Reason{Code: NoDomain, Key: k.name, Need: max(need, 1)}
		if best != noDomain {
			r.Domain, r.Have = k.values[best], int(room[best])
		}
		return nil, r, true
	}
	e.rank(order, room, k, want, most)
	order = order[:min(len(order), most)]
	out := make([]scope, 0, len(order))
	for _, d := range order {
		out = append(out, sc.within(k, d))
	}
	return out, Reason{}, true
}
