package engine

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// The exact search is for small questions: at most so many pods, and so many nodes that differ.
const (
	searchPods  = 48
	searchSites = 48
)

// search looks for a placement of need pods depth first, with the engine's own counters: what it tries is put on the
// nodes and taken back. Kinds whose place depends on no other pod are placed in a fixed order, each kind's pods on nodes
// in ascending order; otherwise every kind may come next. Nodes that are alike are tried once, and a state that was
// found hopeless is not entered again.
type search struct {
	*attempt
	need  int
	sites []site
	fixed bool // the order of the kinds does not matter
	dead  map[string]bool
}

// site is a node of the search.
type site struct {
	id    int32
	class int    // nodes of one class are interchangeable while their loads are equal
	load  []int8 // pods by kind
}

// search reports whether the quorum was placed; then used and the trail hold the placement.
func (a *attempt) search(need int) bool {
	s := &search{attempt: a, need: need, fixed: true, dead: map[string]bool{}}
	pods := 0
	for _, k := range a.kinds {
		s.fixed = s.fixed && k.simple
		pods += len(k.pods)
	}
	if pods > searchPods || len(a.kinds) > 120 || !s.survey() {
		return false
	}
	if s.fixed {
		return s.next(s.hardestFirst(), 0, 0, 0)
	}
	return s.any(0)
}

// survey lists the nodes that take any pod at all; of interchangeable ones no more than there are pods.
func (s *search) survey() bool {
	e := s.e
	tables := make([]*table, len(s.kinds))
	pods := 0
	for i, k := range s.kinds {
		tables[i] = e.tableOf(k.shape)
		pods += len(k.pods)
	}
	seen := map[string]int{}
	var count []int
	look := func(id int32) bool {
		useful := slices.ContainsFunc(tables, func(t *table) bool { return t.cells[id] > 0 })
		if !useful {
			return true
		}
		class := int(id)
		if s.fixed {
			key := s.signature(e.nodes[id])
			c, ok := seen[key]
			if !ok {
				c = len(count)
				seen[key] = c
				count = append(count, 0)
			}
			if count[c]++; count[c] > pods {
				return true
			}
			class = c
		}
		s.sites = append(s.sites, site{id: id, class: class, load: make([]int8, len(s.kinds))})
		return len(s.sites) <= searchSites
	}
	if s.sc.all {
		for id := range e.nodes {
			if !look(int32(id)) {
				return false
			}
		}
	} else {
		for _, id := range s.sc.nodes {
			if !look(id) {
				return false
			}
		}
	}
	slices.SortStableFunc(s.sites, func(a, b site) int { // tightest first
		sum := func(x site) (n int32) {
			for _, t := range tables {
				n += t.cells[x.id]
			}
			return n
		}
		return cmp.Or(cmp.Compare(sum(a), sum(b)), cmp.Compare(a.class, b.class), cmp.Compare(a.id, b.id))
	})
	return true
}

// signature is equal for nodes that are interchangeable for kinds without rules.
func (s *search) signature(n *node) string {
	b := binary.AppendVarint(nil, int64(n.slots-n.count))
	for _, k := range s.kinds {
		for _, a := range k.shape.requests {
			b = binary.AppendVarint(b, at(n.alloc, a.res)-at(n.used, a.res))
		}
		ok := byte(0)
		if s.e.allowed(k.shape, n) && !clashes(k.shape.ports, n.ports) {
			ok = 1
		}
		b = append(b, ok)
	}
	return string(b)
}

// left counts the pods not placed, of kinds from i on in the given order.
func (s *search) left(order []int, i int) int {
	n := 0
	for _, k := range order[i:] {
		n += len(s.kinds[k].pods) - s.used[k]
	}
	return n
}

// next places the pods of the kinds from order[i] on; those of kind order[i] on sites from the given one on.
func (s *search) next(order []int, i, from, placed int) bool {
	if placed >= s.need {
		return true
	}
	if i == len(order) || placed+s.left(order, i) < s.need {
		return false
	}
	k := order[i]
	if from == 0 && s.used[k] == 0 {
		state := s.state(byte(i))
		if s.dead[state] {
			return false
		}
		s.dead[state] = true
	}
	if s.used[k] < len(s.kinds[k].pods) {
		for x := from; x < len(s.sites); x++ {
			if s.twin(x, from) {
				continue
			}
			if s.e.steps--; s.e.steps < 0 {
				return false
			}
			if s.e.copies(s.kinds[k].shape, s.e.nodes[s.sites[x].id]) == 0 {
				continue
			}
			s.step(k, x, 1)
			if s.next(order, i, x, placed+1) {
				return true
			}
			s.step(k, x, -1)
		}
	}
	return s.next(order, i+1, 0, placed)
}

// any places a pod of whichever kind.
func (s *search) any(placed int) bool {
	if placed >= s.need {
		return true
	}
	state := s.state(0)
	if s.dead[state] {
		return false
	}
	s.dead[state] = true
	for k, kd := range s.kinds {
		if s.used[k] == len(kd.pods) {
			continue
		}
		for x := range s.sites {
			if s.e.steps--; s.e.steps < 0 {
				return false
			}
			id := s.sites[x].id
			if s.e.copies(kd.shape, s.e.nodes[id]) == 0 {
				continue
			}
			if s.e.prepare(kd); !s.e.legal(kd, id) {
				continue
			}
			s.step(k, x, 1)
			if s.any(placed + 1) {
				return true
			}
			s.step(k, x, -1)
		}
	}
	return false
}

// step places a pod of kind k on site x, or takes the last one back.
func (s *search) step(k, x, by int) {
	s.sites[x].load[k] += int8(by)
	if by > 0 {
		s.e.try(s.kinds[k].pods[s.used[k]], s.sites[x].id)
		s.used[k]++
		return
	}
	s.used[k]--
	s.e.back(len(s.e.trail) - 1)
}

// twin reports whether a site between from and x is in the same state as x.
func (s *search) twin(x, from int) bool {
	for y := from; y < x; y++ {
		if s.sites[y].class == s.sites[x].class && slices.Equal(s.sites[y].load, s.sites[x].load) {
			return true
		}
	}
	return false
}

// state names what has been placed where, up to exchange of interchangeable nodes.
func (s *search) state(i byte) string {
	var parts []string
	for _, x := range s.sites {
		if slices.ContainsFunc(x.load, func(c int8) bool { return c > 0 }) {
			b := binary.AppendUvarint(nil, uint64(x.class))
			for _, c := range x.load {
				b = append(b, byte(c))
			}
			parts = append(parts, string(b))
		}
	}
	slices.Sort(parts)
	b := []byte{i}
	for _, p := range parts {
		b = append(b, p...)
	}
	return string(b)
}
