package engine

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

// nomination is the room kept for a root until those who hold it are gone.
type nomination struct {
	root     Root
	priority int32
	seats    []*seat
	awaited  map[Key]types.UID // who must be gone before the root is tried again
	beside   map[Key]types.UID // whose end changes something about its place, but is not waited for
	moves    uint64            // Engine.moves when it was made
	size     int               // how many seats it had then
}

// seat is room on a node for one nominated pod: its amounts, its host ports, its place among the pods of the node and its
// devices. What rules about other pods say is not kept free.
type seat struct {
	of      *nomination
	pod     PodRef
	shape   *shape // one reference is owned
	node    int32
	devices []keptDevices
	up      bool // it takes no room at the moment
}

func (e *Engine) sit(s *seat) {
	n := e.nodes[s.node]
	s.up = false
	n.count++
	for _, a := range s.shape.requests {
		e.set(&n.used, a.res, at(n.used, a.res)+a.v)
	}
	n.ports = append(n.ports, s.shape.ports...)
	e.keepDevices(s)
	e.touch(n)
}

func (e *Engine) rise(s *seat) {
	n := e.nodes[s.node]
	s.up = true
	n.count--
	for _, a := range s.shape.requests {
		n.used[a.res] -= a.v
	}
	for _, pt := range s.shape.ports {
		if i := slices.Index(n.ports, pt); i >= 0 {
			n.ports = slices.Delete(n.ports, i, i+1)
		}
	}
	e.giveDevices(s)
	e.touch(n)
	if !e.trial {
		e.freed++
		e.waiting.changed = true
		e.wakeKeeper(n)
	}
}

// Nominate takes a plan as carried out: the room of the placements is kept for the root, against those whose priority is
// not higher, and the victims are not counted on any more.
func (e *Engine) Nominate(p Plan) {
	if p.Kind == NoPlan || len(p.Placements) == 0 {
		e.Renounce(p.Root)
		return
	}
	for _, v := range p.Victims {
		if x := e.pods[v.Key]; x != nil && x.uid == v.UID {
			x.doomed = true
		}
	}
	nom := e.nominated[p.Root]
	if nom == nil || !e.seatedAs(nom, p) {
		e.Renounce(p.Root)
		if nom = e.seat(p); len(nom.seats) == 0 {
			return
		}
		e.nominated[p.Root] = nom
	}
	nom.size = len(nom.seats) // also of an old one that lost a seat: else it would never be good again, and woken for ever
	if nom.awaited, nom.beside, nom.moves = p.awaited, p.beside, e.moves; len(nom.awaited) == 0 && !p.Kept {
		e.waiting.wake(p.Root)
	}
}

// seatedAs reports whether a nomination is for a plan's placements.
func (e *Engine) seatedAs(nom *nomination, p Plan) bool {
	if len(nom.seats) != len(p.Placements) {
		return false
	}
	named := map[string]bool{}
	for _, pl := range p.Placements {
		s := e.seats[pl.Pod.Key]
		if s == nil || s.of != nom || s.pod != pl.Pod || e.nodes[s.node].name != pl.Node {
			return false
		}
		if !p.Kept && !slices.EqualFunc(s.devices, e.devicesToKeep(pl, named), keptDevices.same) {
			return false
		}
	}
	return true
}

// seat keeps the room of a plan's placements.
func (e *Engine) seat(p Plan) *nomination {
	nom := &nomination{root: p.Root, priority: e.priorityOf(p.Root)}
	named := map[string]bool{}
	for _, pl := range p.Placements {
		x := e.pods[pl.Pod.Key]
		if x == nil || x.uid != pl.Pod.UID || x.phase != pending {
			continue
		}
		n := e.nodeFor(pl.Node)
		e.wakeSeated(n, p.Root) // of lower priority, or the room would not have been given
		s := &seat{of: nom, pod: pl.Pod, shape: x.shape, node: n.id, devices: e.devicesToKeep(pl, named)}
		x.shape.refs++
		n.named++
		n.seats = append(n.seats, s)
		nom.seats = append(nom.seats, s)
		e.seats[pl.Pod.Key] = s
		e.sit(s)
	}
	return nom
}

// wakeSeated wakes the roots that have seats on a node, but one: something happened to their place.
func (e *Engine) wakeSeated(n *node, but Root) {
	for _, s := range n.seats {
		if s.of.root != but {
			e.waiting.wake(s.of.root)
		}
	}
}

// wakeNominated wakes the roots whose victims have all ended, when devices have come free: the claims of victims are
// released after them. Tables tell such a root nothing, because the room it waits for is taken by its own seats.
func (e *Engine) wakeNominated() {
	for r, nom := range e.nominated {
		if len(nom.awaited) == 0 {
			e.waiting.wake(r)
		}
	}
}

// Spare tells that a victim was not evicted after all. Who counted on its room is asked about again.
func (e *Engine) Spare(ref PodRef) {
	p := e.pods[ref.Key]
	if p == nil || p.uid != ref.UID || !p.doomed {
		return
	}
	p.doomed = false
	e.freed++ // who found nobody to evict may take it
	for r, nom := range e.nominated {
		if nom.awaited[ref.Key] == ref.UID {
			e.waiting.wake(r)
		}
	}
}

// Renounce gives up the room kept for a root.
func (e *Engine) Renounce(r Root) {
	nom := e.nominated[r]
	if nom == nil {
		return
	}
	for len(nom.seats) > 0 {
		e.vacate(nom.seats[len(nom.seats)-1])
	}
}

// vacate removes a seat for good; the last one ends the nomination.
func (e *Engine) vacate(s *seat) {
	nom, n := s.of, e.nodes[s.node]
	e.rise(s)
	is := func(x *seat) bool { return x == s }
	n.seats = slices.DeleteFunc(n.seats, is)
	nom.seats = slices.DeleteFunc(nom.seats, is)
	delete(e.seats, s.pod.Key)
	if len(nom.seats) == 0 {
		delete(e.nominated, nom.root)
	}
	n.named--
	e.release(n)
	e.dropShape(s.shape)
}

// moved follows a pod that ceased to wait, or to hold room: its seat is of no use, and who awaited it may go on.
func (e *Engine) movedOn(k Key, waits, holds bool) {
	if s := e.seats[k]; s != nil && !waits {
		e.vacate(s)
	}
	if holds {
		return
	}
	for r, nom := range e.nominated {
		_, awaited := nom.awaited[k]
		if _, beside := nom.beside[k]; !awaited && !beside {
			continue
		}
		delete(nom.awaited, k)
		if delete(nom.beside, k); len(nom.awaited) == 0 {
			e.waiting.wake(r)
		}
	}
}

// yielding are the seats a root need not respect: its own, and those of roots of lower priority. They are empty until
// seated is called, within a trial.
func (e *Engine) yielding(r Root) []*seat {
	if len(e.nominated) == 0 {
		return nil
	}
	var out []*seat
	priority := e.priorityOf(r)
	for _, nom := range e.nominated {
		if nom.root == r || nom.priority < priority {
			out = append(out, nom.seats...)
		}
	}
	slices.SortFunc(out, func(a, b *seat) int {
		return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.pod.Namespace, b.pod.Namespace), cmp.Compare(a.pod.Name, b.pod.Name))
	})
	return out
}

// priorityOf is a root's priority, as far as it is known.
func (e *Engine) priorityOf(r Root) int32 {
	if r.Kind == KindPod {
		if p := e.pods[r.Key]; p != nil {
			return p.priority
		}
		return 0
	}
	if g := e.groups[groupKey{r.Kind, r.Key}]; g != nil {
		return g.priority
	}
	return 0
}
