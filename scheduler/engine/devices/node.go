package devices

import (
	"cmp"
	"math/bits"
	"slices"

	resourceapi "k8s.io/api/resource/v1"
)

// node is a node as far as its own devices go.
type node struct {
	name    string
	pools   map[*pool]bool // that have, or had, a slice for it
	stale   bool
	version uint64
	order   []*pool // those that have one, in order
	devices []local // the plain ones
	free    []uint64
}

// local is a plain device.
type local struct {
	pool *pool
	dev  *resourceapi.Device
}

func (inv *Inventory) node(name string) *node {
	n := inv.nodes[name]
	if n == nil {
		n = &node{name: name, pools: map[*pool]bool{}, stale: true}
		inv.nodes[name] = n
	}
	return n
}

// fresh is the node of a name with everything its slices say; nil for one without devices of its own.
func (inv *Inventory) fresh(name string) *node {
	n := inv.nodes[name]
	if n == nil || !n.stale {
		return n
	}
	inv.clock++
	n.stale, n.version = false, inv.clock
	for _, d := range n.devices {
		delete(d.pool.places, d.dev.Name)
	}
	n.order, n.devices, n.free = n.order[:0], n.devices[:0], n.free[:0]
	for p := range n.pools {
		p.refresh()
		if slices.ContainsFunc(p.newest, func(s *resourceapi.ResourceSlice) bool { return n.owns(s) }) {
			n.order = append(n.order, p)
		} else {
			delete(n.pools, p)
		}
	}
	slices.SortFunc(n.order, func(a, b *pool) int { return cmp.Or(compare(a.driver, b.driver), compare(a.name, b.name)) })
	for _, p := range n.order {
		if p.flaw != "" {
			continue
		}
		for _, s := range p.newest {
			for i := range s.Spec.Devices {
				if d := &s.Spec.Devices[i]; n.owns(s) && plainDevice(d) {
					n.add(p, d)
				}
			}
		}
	}
	if len(n.order) == 0 {
		delete(inv.nodes, name)
		for _, w := range inv.wants {
			delete(w.match, n)
		}
		return nil
	}
	return n
}

func (n *node) owns(s *resourceapi.ResourceSlice) bool {
	return s.Spec.NodeName != nil && *s.Spec.NodeName == n.name
}

func (n *node) add(p *pool, d *resourceapi.Device) {
	at := len(n.devices)
	n.devices = append(n.devices, local{p, d})
	if at/64 >= len(n.free) {
		n.free = append(n.free, 0)
	}
	if p.held[d.Name] == 0 {
		n.free[at/64] |= 1 << (at % 64)
	}
	if p.places == nil {
		p.places = map[string]place{}
	}
	p.places[d.Name] = place{n, at}
}

// match are the plain devices of the node that meet a want.
func (inv *Inventory) match(n *node, w *want) []uint64 {
	m, ok := w.match[n]
	if ok && m.version == n.version {
		return m.bits
	}
	m = matched{version: n.version, bits: make([]uint64, len(n.free))}
	for i, d := range n.devices {
		if w.meets(d.pool.driver, d.dev) {
			m.bits[i/64] |= 1 << (i % 64)
		}
	}
	w.match[n] = m
	return m.bits
}

// common counts what two sets have in common.
func common(a, b []uint64) int {
	n := 0
	for i := range a {
		n += bits.OnesCount64(a[i] & b[i])
	}
	return n
}
