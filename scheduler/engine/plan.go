package engine

import "k8s.io/apimachinery/pkg/types"

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
	beside  map[Key]types.UID // who ends there, too, but is not in the way
}

// await notes who ends on the nodes of the placements, and has to be gone before the root is tried again. With some of them the
// pods would fit as well: their end is not waited for, since it may be long in coming, or never come.
func (p *Plan) await(e *Engine, h *hunt) {
	p.awaited, p.beside = map[Key]types.UID{}, map[Key]types.UID{}
	if len(h.ending.pods) == 0 {
		return
	}
	loads := map[int32]*load{}
	for _, pl := range p.Placements {
		id := e.byName[pl.Node]
		if loads[id] == nil {
			loads[id] = &load{amounts: map[int32]int64{}}
		}
		loads[id].add(e.pods[pl.Pod.Key].shape)
	}
	for i, x := range h.ending.pods {
		l := loads[h.ending.at[i]]
		switch {
		case l == nil:
		case h.plain && !e.holdsMore(x) && l.bears(x.shape, e.nodes[h.ending.at[i]]):
			l.add(x.shape)
			p.beside[x.Key] = x.uid
		default:
			p.awaited[x.Key] = x.uid
		}
	}
}

// holdsMore: more than amounts and a place among the pods of its node may come free with a pod.
func (e *Engine) holdsMore(p *pod) bool {
	return len(p.uses)+len(p.claims)+len(p.shape.ports) > 0 || e.asksDevices(p.shape)
}

// load is what is to be on a node besides what the node counts at the moment.
type load struct {
	amounts map[int32]int64
	pods    int32
}

func (l *load) add(s *shape) {
	l.pods++
	for _, a := range s.requests {
		l.amounts[a.res] += a.v
	}
}

// bears reports whether a pod of a shape fits on the node beside the load.
func (l *load) bears(s *shape, n *node) bool {
	for _, a := range s.requests {
		if a.v > 0 && at(n.used, a.res)+l.amounts[a.res]+a.v > at(n.alloc, a.res) {
			return false
		}
	}
	return n.count+l.pods < n.slots
}
