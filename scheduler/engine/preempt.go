package engine

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

// PlanKind says what a plan proposes.
type PlanKind uint8

// The kinds of plans.
const (
	// NoPlan: preemption does not help, or may not be used; Why says why.
	NoPlan PlanKind = iota
	// Wait: those who end anyway make room enough. Nobody more is to be evicted.
	Wait
	// Evict: the victims make room enough, together with those who end anyway.
	Evict
)

// String is the name of the constant.
func (k PlanKind) String() string { return [...]string{"NoPlan", "Wait", "Evict"}[k] }

// GroupRef is a group by kind, name, UID and the generation known of it.
type GroupRef struct {
	Kind Kind
	Key
	UID        types.UID
	Generation int64
}

// Plan is the answer to Preempt. Nothing is done about it until Nominate is told.
type Plan struct {
	Root    Root
	Kind    PlanKind
	Why     string   // of NoPlan: a clause for people; empty where nothing is worth saying
	Victims []PodRef // to be evicted now
	// Groups are the groups disrupted as a whole: those with disruption mode all, and the groups below them.
	Groups []GroupRef
	// Placements are where the pods of the root would go; the room is theirs to be nominated for.
	Placements []Placement
	// Kept: the placements are those nominated before.
	Kept bool
	Cost Cost

	awaited map[Key]types.UID
}

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
	claimed := len(e.yielding(r)) > 0 // room is being made for it, or for others who yield to it
	defer e.enter(r)()
	e.begin()
	defer e.end()
	e.hunting = true
	defer func() { e.hunting = false }()
	ending, units := e.underlings(h.priority)
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
	if chosen == nil {
		p.Why = fmt.Sprintf("would not fit even without the %d of lower priority that run", len(units))
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
	nodes := map[string]bool{}
	for _, pl := range p.Placements {
		nodes[pl.Node] = true
	}
	p.awaited = map[Key]types.UID{}
	for i, x := range h.ending.pods {
		if nodes[e.nodes[h.ending.at[i]].name] {
			p.awaited[x.Key] = x.uid
		}
	}
}

// stillGood reports whether every nominated pod may still go to its node, all together. Labels of nodes must not have
// changed, so that they are in the domains they were to be in.
func (e *Engine) stillGood(nom *nomination) bool {
	if nom.moves != e.moves {
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
