package engine

import (
	"encoding/binary"
	"slices"
)

// The exact search is for small questions: at most so many pods, and so many nodes that differ.
const (
	searchPods  = 48
	searchSites = 48
	// searchUseful bounds the nodes that take any pod at all: among so many the greedy orders find a place.
	searchUseful = 1024
)

// team is a set of kinds of which so many pods must be placed: one group.
type team struct{ need, got int }

// search looks for a placement that gives every team what it needs, depth first, with the engine's own counters: what it
// tries is put on the nodes and taken back. Kinds whose place depends on no other pod are placed in a fixed order, each
// kind's pods on nodes in ascending order; otherwise every kind may come next. Nodes that are alike are tried once, and a
// state that was found hopeless is not entered again.
type search struct {
	e       *Engine
	kinds   []*kind
	used    []int   // pods of each kind that are placed
	scopes  []scope // by kind
	team    []int   // by kind
	teams   []team
	missing int // pods that teams still need
	sites   []site
	fixed   bool // the order of the kinds does not matter
	dead    map[string]bool
}

// site is a node of the search.
type site struct {
	id    int32
	class int    // nodes of one class are interchangeable while their loads are equal
	load  []int8 // pods by kind
}

// search reports whether the quorum was placed; then used and the trail hold the placement.
func (a *attempt) search(need int) bool {
	s := &search{e: a.e, teams: []team{{need: need}}}
	for _, k := range a.kinds {
		s.add(k, a.sc, 0)
	}
	s.used = a.used
	return s.run(a.hardestFirst())
}

func (s *search) add(k *kind, sc scope, team int) {
	s.kinds = append(s.kinds, k)
	s.scopes = append(s.scopes, sc)
	s.team = append(s.team, team)
	s.used = append(s.used, 0)
}

func (s *search) run(order []int) bool {
	s.fixed, s.dead = true, map[string]bool{}
	pods := 0
	for _, k := range s.kinds {
		s.fixed = s.fixed && k.simple
		pods += len(k.pods)
	}
	for _, t := range s.teams {
		s.missing += t.need
	}
	if pods > searchPods || len(s.kinds) > searchPods || !s.survey(pods) {
		return false
	}
	if s.fixed {
		return s.next(order, 0, 0)
	}
	return s.any()
}

// hopeless reports whether some team cannot get what it needs from the kinds from order[i] on.
func (s *search) hopeless(order []int, i int) bool {
	for t := range s.teams {
		left := s.teams[t].got
		for _, k := range order[i:] {
			if s.team[k] == t {
				left += len(s.kinds[k].pods) - s.used[k]
			}
		}
		if left < s.teams[t].need {
			return true
		}
	}
	return false
}

// takes reports whether site x takes a pod of kind k, rules about other pods apart.
func (s *search) takes(k, x int) bool {
	id := s.sites[x].id
	return s.scopes[k].holds(id) && s.e.copies(s.kinds[k].shape, s.e.nodes[id]) > 0
}

// open reports whether another pod of kind k is of use.
func (s *search) open(k int) bool {
	t := s.teams[s.team[k]]
	return t.got < t.need && s.used[k] < len(s.kinds[k].pods)
}

// next places the pods of the kinds from order[i] on; those of kind order[i] on sites from the given one on.
func (s *search) next(order []int, i, from int) bool {
	if s.missing == 0 {
		return true
	}
	if i == len(order) || s.hopeless(order, i) {
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
	if s.open(k) {
		for x := from; x < len(s.sites); x++ {
			if s.twin(x, from) {
				continue
			}
			if s.e.steps--; s.e.steps < 0 {
				return false
			}
			if !s.takes(k, x) {
				continue
			}
			s.step(k, x, 1)
			if s.next(order, i, x) {
				return true
			}
			s.step(k, x, -1)
		}
	}
	return s.next(order, i+1, 0)
}

// any places a pod of whichever kind.
func (s *search) any() bool {
	if s.missing == 0 {
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
			if !s.takes(k, x) {
				continue
			}
			if s.e.prepare(kd); !s.e.legal(kd, s.sites[x].id) {
				continue
			}
			s.step(k, x, 1)
			if s.any() {
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
	t := &s.teams[s.team[k]]
	if by > 0 {
		if t.got++; t.got <= t.need {
			s.missing--
		}
		s.e.try(s.kinds[k].pods[s.used[k]], s.sites[x].id)
		s.used[k]++
		return
	}
	if t.got--; t.got < t.need {
		s.missing++
	}
	s.used[k]--
	mark := len(s.e.trail) - 1
	if mark > 0 && s.e.trail[mark-1].attached {
		mark--
	}
	s.e.back(mark)
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
