package devices

import "math/bits"

// matching gives each of some units, each of which wants one device, a free device of its own that meets its want. It
// grows by augmenting paths, so that it finds a place for a unit if there is any.
type matching struct {
	free  []uint64
	meets map[int32][]uint64 // by want
	units []int32            // wants
	owner map[int]int        // by device: the unit that has it
	seen  []uint64
}

func (inv *Inventory) matching(n *node) *matching {
	return &matching{free: n.free, meets: map[int32][]uint64{}, owner: map[int]int{}, seen: make([]uint64, len(n.free))}
}

// add gives devices to the units of one more pod; false, with the matching in no useful state, if there are too few.
func (m *matching) add(inv *Inventory, n *node, counts []Count) bool {
	for _, c := range counts {
		if m.meets[c.want] == nil {
			m.meets[c.want] = inv.match(n, inv.want(c.want))
		}
		for range c.n {
			m.units = append(m.units, c.want)
			clear(m.seen)
			if !m.augment(len(m.units) - 1) {
				return false
			}
		}
	}
	return true
}

func (m *matching) augment(unit int) bool {
	set := m.meets[m.units[unit]]
	for _, taken := range []bool{false, true} { // a device that nobody has first
		for w := range set {
			for rest := set[w] & m.free[w] &^ m.seen[w]; rest != 0; rest &= rest - 1 {
				at := w*64 + bits.TrailingZeros64(rest)
				other, has := m.owner[at]
				if has != taken {
					continue
				}
				if has {
					m.seen[w] |= 1 << (at % 64)
					if !m.augment(other) {
						continue
					}
				}
				m.owner[at] = unit
				return true
			}
		}
	}
	return false
}
