package engine

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

const (
	// spreadWork bounds the exact choice in one domain: options of all nodes times the pods that lack a place.
	spreadWork = 8 << 20
	// subsetUnits bounds the units of one node of which every subset is tried, and subsetTries all such tries.
	subsetUnits = 8
	subsetTries = 100_000
)

// option is one way to clear a node: whom to evict, what that costs, and how many more pods then fit.
type option struct {
	gain  int32
	price int64
	units []*unit
}

// spread is the choice for equal pods without rules, among the units that stand on one node each: what a node gains
// depends on nobody elsewhere, so that the cheapest sum over the nodes of a domain that gains enough is a knapsack
// problem with few options a node. exact says that no choice is cheaper; nil that units on several nodes are needed.
func (h *hunt) spread() (set []*unit, exact bool) {
	e := h.e
	exact = true
	byNode := map[int32][]*unit{}
	var nodes []int32
	for _, u := range h.relevant() {
		id := u.at[0]
		if slices.ContainsFunc(u.at, func(o int32) bool { return o != id }) {
			exact = false
			continue
		}
		if byNode[id] == nil {
			nodes = append(nodes, id)
		}
		byNode[id] = append(byNode[id], u)
	}
	slices.SortFunc(nodes, func(a, b int32) int { return cmp.Compare(e.nodes[a].name, e.nodes[b].name) })
	pr := pricing(h.units)
	tries := subsetTries
	options := map[int32][]option{}
	for _, id := range nodes {
		o, all := h.options(id, byNode[id], pr, &tries)
		exact = exact && all
		if len(o) > 0 {
			options[id] = o
		}
	}
	t := e.tableOf(h.leaf.kinds[0].shape)
	best := purchase{price: math.MaxInt64}
	var open []*market
	for _, s := range h.domains() {
		m := &market{deficit: h.need - int(t.room(s))}
		for _, id := range nodes {
			if o := options[id]; o != nil && s.holds(id) {
				m.stalls = append(m.stalls, o)
			}
		}
		if b, ok := m.haggle(); ok {
			open = append(open, m)
			if b.price < best.price {
				best = b
			}
		}
	}
	if len(open) == 0 {
		return nil, false
	}
	slices.SortStableFunc(open, func(a, b *market) int { return cmp.Compare(a.least, b.least) })
	for _, m := range open {
		if m.least >= best.price {
			break
		}
		if m.work() > spreadWork {
			exact = exact && pr.major(m.least) == pr.major(best.price)
			continue
		}
		if b, ok := m.settle(); ok && b.price < best.price {
			best = b
		}
	}
	return best.units, exact
}

// domains are where the root may go, each for itself.
func (h *hunt) domains() []scope {
	if h.g == nil || h.g.topology == "" {
		return []scope{everywhere}
	}
	k := h.e.key(h.g.topology)
	if d, _, ok := h.e.pin(h.g, k); ok && d != noDomain {
		return []scope{everywhere.within(k, d)}
	}
	return h.e.every(k)
}

// options are the ways to clear a node, each gaining more for more. all says that none better is left out: the units are
// equal but for their price, or every subset was tried.
func (h *hunt) options(id int32, us []*unit, pr prices, tries *int) (out []option, all bool) {
	e := h.e
	n, s := e.nodes[id], h.leaf.kinds[0].shape
	if !e.allowed(s, n) {
		return nil, true
	}
	base := e.copies(s, n)
	var found []option
	look := func(set []*unit) {
		if gain := min(e.copies(s, n)-base, int32(h.need)); gain > 0 {
			found = append(found, option{gain, pr.of(set), set})
		}
	}
	slices.SortStableFunc(us, func(a, b *unit) int { return cmp.Compare(pr.one(a), pr.one(b)) })
	equal := !slices.ContainsFunc(us, func(u *unit) bool {
		return len(u.pods) != 1 || !h.sameRoom(u.pods[0], us[0].pods[0])
	})
	switch {
	case equal || len(us) > subsetUnits || *tries < 1<<len(us):
		all = equal
		for i, u := range us {
			e.remove(u)
			look(us[:i+1])
		}
		for _, u := range us {
			e.restore(u)
		}
	default:
		all = true
		*tries -= 1 << len(us)
		for i := 1; i < 1<<len(us); i++ { // one unit comes or goes at a time
			before, now := (i-1)^(i-1)>>1, i^i>>1
			u := us[bits.TrailingZeros(uint(before^now))]
			if u.out {
				e.restore(u)
			} else {
				e.remove(u)
			}
			var set []*unit
			for j, u := range us {
				if now&(1<<j) != 0 {
					set = append(set, u)
				}
			}
			look(set)
		}
		for _, u := range us {
			e.restore(u)
		}
	}
	slices.SortStableFunc(found, func(a, b option) int { return cmp.Or(cmp.Compare(a.price, b.price), cmp.Compare(b.gain, a.gain)) })
	most := int32(0)
	for _, o := range found {
		if o.gain > most {
			most = o.gain
			out = append(out, o)
		}
	}
	return out, all
}

// prices packs what counts of a cost, but the highest priority, into one number that can be added up: violations, units,
// pods, and the ranks of the priorities. Each has as many bits as the sum over all units needs; where they are too many in all,
// ranks are left out first, then pods.
type prices struct{ units, pods, ranks int }

// priceBits is how many bits prices may have, so that two of them can be added.
const priceBits = 61

func pricing(us []*unit) prices {
	over, pods, ranks := 0, 0, 0
	for _, u := range us {
		over += u.over
		pods += len(u.pods)
		ranks += u.rank
	}
	p := prices{bits.Len(uint(len(us))), bits.Len(uint(pods)), bits.Len(uint(ranks))}
	most := priceBits - bits.Len(uint(over)) - p.units
	if p.pods+p.ranks > most {
		p.ranks = 0
	}
	if p.pods > most {
		p.pods = 0
	}
	return p
}

func (p prices) one(u *unit) int64 {
	x := int64(u.over)<<p.units + 1
	if x <<= p.pods; p.pods > 0 {
		x += int64(len(u.pods))
	}
	if x <<= p.ranks; p.ranks > 0 {
		x += int64(u.rank)
	}
	return x
}

func (p prices) of(us []*unit) (sum int64) {
	for _, u := range us {
		sum += p.one(u)
	}
	return sum
}

// major is what violations and units make of a price.
func (p prices) major(price int64) int64 { return price >> (p.pods + p.ranks) }
