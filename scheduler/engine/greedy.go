package engine

import (
	"cmp"
	"slices"
)

// attempt is the state of placing the kinds of one group in one scope.
type attempt struct {
	e     *Engine
	kinds []*kind
	used  []int // pods of each kind that are placed
	sc    scope
}

func (e *Engine) attempt(kinds []*kind, sc scope) *attempt {
	return &attempt{e: e, kinds: kinds, used: make([]int, len(kinds)), sc: sc}
}

// run places as many pods as it can, at most want, and reports how many. If they are fewer than need, everything is
// taken back and 0 is reported. Orders that often work come first; where they fail and the question is small, an exact
// search decides.
func (a *attempt) run(need, want int) int {
	e := a.e
	mark := len(e.trail)
	if open := a.undecided(); len(open) > 0 {
		return a.decide(open, need, want)
	}
	bound := 0
	for _, k := range a.kinds {
		bound += int(min(int64(len(k.pods)), e.tableOf(k.shape).room(a.sc)))
	}
	if bound < need || bound == 0 {
		return 0
	}
	order := a.hardestFirst()
	n := a.greedy(order, want)
	if n < need && len(a.kinds) > 1 {
		a.reset(mark)
		slices.Reverse(order) // where only some of the pods are needed, the easy ones may be enough
		n = a.greedy(order, want)
	}
	if n < need {
		a.reset(mark)
		if len(a.kinds) == 1 && a.kinds[0].simple || !a.search(need) {
			a.reset(mark)
			return 0
		}
		n = 0 // with rules a search may place more than it needs
		for _, u := range a.used {
			n += u
		}
	}
	if n < want { // what the first passes left may fit now
		n += a.greedy(a.hardestFirst(), want-n)
	}
	return n
}

func (a *attempt) reset(mark int) {
	a.e.back(mark)
	clear(a.used)
}

// hardestFirst orders the kinds: first those with the fewest places for each pod, then those that ask for more, then
// those of older pods.
func (a *attempt) hardestFirst() []int {
	order := make([]int, len(a.kinds))
	ease := make([]float64, len(a.kinds))
	for i, k := range a.kinds {
		order[i] = i
		ease[i] = float64(a.e.tableOf(k.shape).room(a.sc)) / float64(len(k.pods))
	}
	slices.SortStableFunc(order, func(x, y int) int {
		return cmp.Or(cmp.Compare(ease[x], ease[y]), cmp.Compare(weight(a.kinds[y].shape), weight(a.kinds[x].shape)))
	})
	return order
}

// weight adds up what a shape asks for; it orders shapes that are equally hard.
func weight(s *shape) int64 {
	sum := int64(0)
	for _, a := range s.requests {
		sum += a.v
	}
	return sum
}

// greedy goes over the kinds in order, again and again until nothing more can be placed: a pod placed late may be the one
// an earlier kind wants to be near.
func (a *attempt) greedy(order []int, want int) int {
	placed := 0
	for {
		before := placed
		for _, i := range order {
			switch k := a.kinds[i]; {
			case k.simple:
				placed += a.inBulk(i, want-placed)
			case k.shrinking():
				placed += a.sweep(i, want-placed)
			default:
				placed += a.oneByOne(i, want-placed)
			}
		}
		if placed == before || placed >= want || !slices.ContainsFunc(a.kinds, func(k *kind) bool { return !k.simple }) {
			return placed
		}
	}
}

// inBulk places copies of a simple kind.
func (a *attempt) inBulk(i, want int) int {
	e, k := a.e, a.kinds[i]
	want = min(want, len(k.pods)-a.used[i])
	if want <= 0 {
		return 0
	}
	placed := 0
	for _, as := range e.fill(e.tableOf(k.shape), a.sc, want) {
		for range as.copies {
			e.try(k.pods[a.used[i]], as.node)
			a.used[i]++
			placed++
		}
	}
	return placed
}

// shrinking: placing pods of the kind never opens a node to it, and never changes how much it likes one (only
// anti-affinity and claims restrict it). What is best is then found in one sweep.
func (k *kind) shrinking() bool {
	r := k.shape.rules
	return r == nil || len(r.affinity)+len(r.spreads)+len(r.near)+len(r.soft) == 0
}

// sweep places pods of a shrinking kind on the nodes in order of liking, as oneByOne would.
func (a *attempt) sweep(i, want int) int {
	e, k := a.e, a.kinds[i]
	t := e.tableOf(k.shape)
	type place struct {
		score     int64
		cells, at int32
	}
	var places []place
	a.each(t, func(id int32) {
		if e.legal(k, id) {
			places = append(places, place{e.score(k, e.nodes[id]), t.cells[id], e.order.place[id]})
		}
	})
	slices.SortFunc(places, func(x, y place) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.cells, y.cells), cmp.Compare(x.at, y.at))
	})
	placed := 0
	for _, p := range places {
		id := e.order.ids[p.at]
		for n := p.cells; n > 0 && placed < want && a.used[i] < len(k.pods); n-- {
			if !e.legal(k, id) || e.copies(k.shape, e.nodes[id]) == 0 {
				break
			}
			e.try(k.pods[a.used[i]], id)
			a.used[i]++
			placed++
		}
	}
	return placed
}

// each visits the nodes of the scope that take a pod, rules about other pods apart.
func (a *attempt) each(t *table, visit func(id int32)) {
	if !a.sc.all {
		for _, id := range a.sc.nodes {
			if t.cells[id] > 0 {
				visit(id)
			}
		}
		return
	}
	for id, c := range t.cells {
		if c > 0 {
			visit(int32(id))
		}
	}
}

// oneByOne places pods whose place depends on other pods, or who prefer some nodes.
func (a *attempt) oneByOne(i, want int) int {
	e, k := a.e, a.kinds[i]
	placed := 0
	for ; placed < want && a.used[i] < len(k.pods); placed++ {
		id := a.best(k)
		if id == noNode {
			break
		}
		e.try(k.pods[a.used[i]], id)
		a.used[i]++
	}
	return placed
}

// best is the node a pod of the kind likes most among those it may go to; of equal ones the tightest.
func (a *attempt) best(k *kind) int32 {
	e := a.e
	t := e.tableOf(k.shape)
	e.prepare(k)
	best, bestScore := int32(noNode), int64(0)
	a.each(t, func(id int32) {
		if !e.legal(k, id) {
			return
		}
		s := e.score(k, e.nodes[id])
		if best == noNode || s > bestScore || s == bestScore && (t.cells[id] < t.cells[best] || t.cells[id] == t.cells[best] && e.order.place[id] < e.order.place[best]) {
			best, bestScore = id, s
		}
	})
	return best
}
