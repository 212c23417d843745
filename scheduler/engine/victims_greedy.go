package engine

import "slices"

// spareTries bounds how often a whole placement is tried to spare more units, where that is no mere look at a table: enough for
// 500 of whom everyone has to go, or for 80 of 5,000.
const spareTries = 1024

// greedy takes everybody away who stands in the limit, and puts back, the most important first, whom the root does not
// need gone: first those who are not in the way of the place found, then those without whom it finds another one. In what
// is left no unit can be spared, unless the tries run out. nil: the root does not fit in the limit.
func (h *hunt) greedy() []*unit {
	e := h.e
	var gone []*unit
	for _, u := range slices.Backward(h.units) { // the cheapest were first
		if slices.ContainsFunc(u.at, h.limit.holds) {
			e.remove(u)
			gone = append(gone, u)
		}
	}
	defer func() {
		for _, u := range gone {
			e.restore(u)
		}
	}()
	mark := len(e.trail)
	if !h.try() {
		e.back(mark)
		return nil
	}
	for _, u := range gone {
		if h.beside(u) {
			e.restore(u)
		}
	}
	e.back(mark)
	h.spare(away(gone))
	out := away(gone)
	if !h.fits() { // somebody was in the way whose room says nothing of it
		return nil
	}
	slices.Reverse(out)
	return out
}

// away are those of the units that are not in their places.
func away(units []*unit) []*unit {
	return slices.DeleteFunc(slices.Clone(units), func(u *unit) bool { return !u.out })
}

// spare puts back those of the units, which are away, whom the root does not need gone; the more important stand first. Where tries
// run out, whoever is left and stands where the root would not go is put back with all like it, if that works.
func (h *hunt) spare(units []*unit) {
	tries := spareTries
	if rest := h.spareSome(units, &tries, false); len(rest) > 0 {
		h.spareElsewhere(rest)
	}
}

// spareSome goes over the units as if each was put back in turn, unless the root does not fit then. It puts back many at a time,
// and divides them where that is too much: more company never helps. needed: all of them at once are known to be too many. What is left
// when the tries run out is returned.
func (h *hunt) spareSome(units []*unit, tries *int, needed bool) (rest []*unit) {
	if len(units) == 0 {
		return nil
	}
	if !needed {
		if *tries--; *tries < 0 && !h.simple() {
			return units
		}
		if h.restored(units) {
			return nil
		}
	}
	if len(units) == 1 {
		return nil
	}
	half := len(units) / 2
	first, second := units[:half], units[half:]
	rest = h.spareSome(first, tries, false)
	whole := len(rest) == 0 && !slices.ContainsFunc(first, func(u *unit) bool { return u.out })
	return slices.Concat(rest, h.spareSome(second, tries, whole))
}

// restored puts units back if the root fits beside them.
func (h *hunt) restored(units []*unit) bool {
	for _, u := range units {
		h.e.restore(u)
	}
	if h.fits() {
		return true
	}
	for _, u := range units {
		h.e.remove(u)
	}
	return false
}

// spareElsewhere puts back whoever stands on no node of a place for the root.
func (h *hunt) spareElsewhere(units []*unit) {
	mark := len(h.e.trail)
	fits := h.try()
	taken := map[int32]bool{}
	for _, s := range h.e.trail[mark:] {
		taken[s.node] = true
	}
	h.e.back(mark)
	if fits {
		h.restored(slices.DeleteFunc(slices.Clone(units), func(u *unit) bool {
			return slices.ContainsFunc(u.at, func(id int32) bool { return taken[id] })
		}))
	}
}

// beside reports whether a unit can stay where it is with the placement on the trail. Where rules about other pods could
// have a say, or devices that the root asks for, the answer is no.
func (h *hunt) beside(u *unit) bool {
	e := h.e
	for i, p := range u.pods {
		n := e.nodes[u.at[i]]
		if h.devices && (len(p.uses) > 0 || e.asksDevices(p.shape)) || !h.plain && (len(p.labels.matched) > 0 || p.shape.rules != nil) || len(p.claims) > 0 || clashes(p.shape.ports, n.ports) {
			return false
		}
	}
	e.restore(u)
	for i, p := range u.pods {
		n := e.nodes[u.at[i]]
		over := n.count > n.slots
		for _, a := range p.shape.requests {
			over = over || at(n.used, a.res) > at(n.alloc, a.res)
		}
		if over {
			e.remove(u)
			return false
		}
	}
	return true
}
