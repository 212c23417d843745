package engine

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// survey lists the nodes that take any pod at all; of interchangeable ones no more than there are pods.
func (s *search) survey(pods int) bool {
	e := s.e
	tables := make([]*table, len(s.kinds))
	for i, k := range s.kinds {
		tables[i] = e.tableOf(k.shape)
	}
	seen := map[string]int{}
	var count []int
	useful := 0
	for at, id := range e.order.ids {
		n := e.nodes[id]
		takes := false
		for i, t := range tables {
			takes = takes || t.cells[id] > 0 && s.scopes[i].holds(id)
		}
		if !takes {
			continue
		}
		if useful++; useful > searchUseful {
			return false
		}
		class := at
		if s.fixed {
			key := s.signature(n)
			c, ok := seen[key]
			if !ok {
				c = len(count)
				seen[key] = c
				count = append(count, 0)
			}
			if count[c]++; count[c] > pods {
				continue
			}
			class = c
		}
		s.sites = append(s.sites, site{id: n.id, class: class, load: make([]int8, len(s.kinds))})
		if len(s.sites) > searchSites {
			return false
		}
	}
	slices.SortStableFunc(s.sites, func(a, b site) int { // tightest first
		sum := func(x site) (n int32) {
			for _, t := range tables {
				n += t.cells[x.id]
			}
			return n
		}
		return cmp.Or(cmp.Compare(sum(a), sum(b)), cmp.Compare(a.class, b.class), cmp.Compare(e.order.place[a.id], e.order.place[b.id]))
	})
	return true
}

// signature is equal for nodes that are interchangeable for kinds without rules.
func (s *search) signature(n *node) string {
	b := binary.AppendVarint(nil, int64(n.slots-n.count))
	for i, k := range s.kinds {
		for _, a := range k.shape.requests {
			b = binary.AppendVarint(b, at(n.alloc, a.res)-at(n.used, a.res))
		}
		ok := byte(0)
		if s.scopes[i].holds(n.id) && s.e.allowed(k.shape, n) && !clashes(k.shape.ports, n.ports) {
			ok = 1
		}
		b = append(b, ok)
	}
	return string(s.e.deviceSignature(b, s.kinds, n))
}
