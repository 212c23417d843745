package engine

import (
	"encoding/binary"
	"fmt"
	"slices"
)

const (
	// exactChoices bounds the choices of victims that are put in order of their cost and tried.
	exactChoices = 4096
	// exactTries bounds how many of them are tried where a try is no mere look at a table.
	exactTries = 2000
)

// exact tries the choices in the order of their cost, until one makes room enough. ok is false where they are too many.
// Units that differ in nothing that counts are taken in a fixed order.
func (h *hunt) exact() (chosen []*unit, ok bool) {
	if len(h.units) > exactChoices {
		return nil, false
	}
	alike := h.alike()
	if alike == nil {
		return nil, false
	}
	choices := 1
	for _, a := range alike {
		if choices *= len(a) + 1; choices > exactChoices {
			return nil, false
		}
	}
	type choice struct {
		cost Cost
		take []uint8
	}
	all := make([]choice, 0, choices)
	take := make([]uint8, len(alike))
	for {
		all = append(all, choice{costOf(taken(alike, take)), slices.Clone(take)})
		i := 0
		for ; i < len(alike); i++ {
			if int(take[i]) < len(alike[i]) {
				take[i]++
				break
			}
			take[i] = 0
		}
		if i == len(alike) {
			break
		}
	}
	slices.SortStableFunc(all, func(a, b choice) int {
		switch {
		case a.cost.Less(b.cost):
			return -1
		case b.cost.Less(a.cost):
			return 1
		}
		return slices.Compare(b.take, a.take) // the cheapest stand first: of equal ones the younger
	})
	tries := exactTries
	if !h.simple() && h.pods > searchPods {
		tries /= 20
	}
	for _, c := range all {
		if tries--; tries < 0 && !h.simple() {
			return nil, false
		}
		set := taken(alike, c.take)
		for _, u := range set {
			h.e.remove(u)
		}
		fits := h.fits()
		for _, u := range set {
			h.e.restore(u)
		}
		if fits {
			return set, true
		}
	}
	return nil, false // all together were enough; then a search within its budget found no place this time
}

func taken(alike [][]*unit, take []uint8) []*unit {
	var out []*unit
	for i, n := range take {
		out = append(out, alike[i][:n]...)
	}
	return out
}

// alike groups the units that matter by what counts about them: where they are, what they hold, what they cost; nil where
// there are too many groups. What their claims asked for before they were bound does not count: only a process that saw them
// wait knows it.
func (h *hunt) alike() [][]*unit {
	index := map[string]int{}
	var out [][]*unit
	for _, u := range h.relevant() {
		b := binary.AppendVarint(nil, int64(u.rank))
		if u.owner != nil {
			b = fmt.Appendf(b, "%p", u)
		} else {
			p := u.pods[0]
			b = fmt.Appendf(b, "%d %p %p", u.at[0], p.shape.plain(), p.labels)
			for _, c := range p.claims {
				b = fmt.Appendf(b, " %s", c.Key)
			}
			b = h.appendHeld(b, p)
		}
		i, known := index[string(b)]
		if !known {
			if i = len(out); 1<<i > exactChoices { // each doubles the choices at least
				return nil
			}
			index[string(b)] = i
			out = append(out, nil)
		}
		if len(out[i]) < 255 {
			out[i] = append(out[i], u)
		}
	}
	return out
}

// relevant are the units whose eviction may help: where rules about other pods count, all of them; else those with a pod
// on a node that may be used.
func (h *hunt) relevant() []*unit {
	if !h.plain {
		return h.units
	}
	var shapes []*shape
	for _, k := range h.kinds {
		shapes = append(shapes, k.shape)
	}
	usable := map[int32]bool{}
	within := h.pinned()
	var out []*unit
	for _, u := range h.units {
		if slices.ContainsFunc(u.at, func(id int32) bool {
			may, asked := usable[id]
			if !asked {
				may = within.holds(id) && slices.ContainsFunc(shapes, func(s *shape) bool { return h.e.allowed(s, h.e.nodes[id]) })
				usable[id] = may
			}
			return may
		}) {
			out = append(out, u)
		}
	}
	return out
}

// pinned is the limit, narrowed to the domain in which members of the root stand.
func (h *hunt) pinned() scope {
	if h.g == nil {
		return h.limit
	}
	return h.e.pinned(h.g, h.limit)
}
