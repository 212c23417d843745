package engine

import "slices"

// spareTries bounds how often a whole placement is tried to spare one more unit, where that is no mere look at a table.
const spareTries = 512

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
	tries := spareTries
	var out []*unit
	for _, u := range gone {
		if !u.out {
			continue
		}
		e.restore(u)
		if tries--; tries < 0 && !h.simple() || !h.fits() {
			e.remove(u)
		}
	}
	for _, u := range gone {
		if u.out {
			out = append(out, u)
		}
	}
	if !h.fits() { // somebody was in the way whose room says nothing of it
		return nil
	}
	slices.Reverse(out)
	return out
}

// beside reports whether a unit can stay where it is with the placement on the trail. Where rules about other pods could
// have a say, or devices, the answer is no.
func (h *hunt) beside(u *unit) bool {
	e := h.e
	for i, p := range u.pods {
		n := e.nodes[u.at[i]]
		if len(p.uses) > 0 || e.asksDevices(p.shape) || !h.plain && (len(p.labels.matched) > 0 || p.shape.rules != nil) || len(p.claims) > 0 || clashes(p.shape.ports, n.ports) {
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
