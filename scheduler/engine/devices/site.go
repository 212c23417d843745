package devices

import (
	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
)

// site is a node on which placements are being tried.
type site struct {
	tenants []*Tenant
	odd     int // tenants that only the allocator can judge
}

// Tenant is a pod, or a claim that pods share, that is being tried on a node.
type Tenant struct {
	node   *corev1.Node
	demand *Demand
	claims []*resourceapi.ResourceClaim
	fixed  bool // its devices are not exchanged any more
	odd    bool
	// results, one for each claim, are what the allocator gave it; nil as long as it need not be told.
	results []resourceapi.AllocationResult
}

// undo is how to take an Add back.
type undo struct {
	site   string
	before [][]resourceapi.AllocationResult // the other tenants' results
}

// Copies is how many more pods with a demand the devices of a node let in, at most most, with those that are being
// tried there. For a demand that is not Plain it is most if there is room for one more, otherwise 0; for one that is
// Shared it is most.
func (inv *Inventory) Copies(n *corev1.Node, d *Demand, most int32) int32 {
	if d.Flaw != "" || most <= 0 {
		return 0
	}
	s := inv.sites[n.Name]
	if k := inv.judge(d); k.shared {
		return most
	} else if k.odd {
		if inv.Fits(n, d) {
			return most
		}
		return 0
	}
	if s != nil && s.odd > 0 {
		return inv.copiesBeside(n, d, most)
	}
	local := inv.fresh(n.Name)
	if local == nil {
		if len(d.counts) == 0 {
			return most
		}
		return 0
	}
	if s == nil && len(d.counts) == 1 {
		return min(most, int32(common(local.free, inv.match(local, inv.want(d.counts[0].want))))/d.counts[0].n)
	}
	m := inv.matching(local)
	if s != nil {
		for _, t := range s.tenants {
			if !m.add(inv, local, t.demand.counts) {
				return 0
			}
		}
	}
	for c := int32(0); c < most; c++ {
		if !m.add(inv, local, d.counts) {
			return c
		}
	}
	return most
}

// copiesBeside counts copies of a plain demand next to tenants that are not.
func (inv *Inventory) copiesBeside(n *corev1.Node, d *Demand, most int32) int32 {
	inv.quiet++
	defer func() { inv.quiet-- }()
	c := int32(0)
	for c < most && inv.Add(n, d, d.claims, false) != nil {
		c++
	}
	for range c {
		inv.Undo()
	}
	return c
}

// Fits reports whether one more pod with the demand gets its devices on a node.
func (inv *Inventory) Fits(n *corev1.Node, d *Demand) bool {
	inv.quiet++
	defer func() { inv.quiet-- }()
	if inv.Add(n, d, d.claims, false) == nil {
		return false
	}
	inv.Undo()
	return true
}

// Add tries a pod on a node: claims are those of its own that have no allocation yet, and say what the demand says; nil,
// and nothing done, if the devices do not let it in. With fixed the devices it gets now stay as they are whatever is
// added later: so for a claim that is shared, by which other nodes may be ruled out.
func (inv *Inventory) Add(n *corev1.Node, d *Demand, claims []*resourceapi.ResourceClaim, fixed bool) *Tenant {
	if d.Flaw != "" {
		return nil
	}
	s := inv.sites[n.Name]
	t := &Tenant{node: n, demand: d, claims: claims, fixed: fixed, odd: fixed || !inv.Plain(d)}
	u := undo{site: n.Name}
	switch {
	case !t.odd && (s == nil || s.odd == 0):
		if !inv.lets(n.Name, s, d) {
			return nil
		}
	case !inv.serve(s, t, &u):
		return nil
	}
	if s == nil {
		s = &site{}
		inv.sites[n.Name] = s
	}
	s.tenants = append(s.tenants, t)
	if t.odd {
		s.odd++
	}
	inv.trail = append(inv.trail, u)
	return t
}

// lets reports whether plain tenants and one more demand have enough devices.
func (inv *Inventory) lets(name string, s *site, d *Demand) bool {
	local := inv.fresh(name)
	if local == nil {
		return len(d.counts) == 0
	}
	m := inv.matching(local)
	if s != nil {
		for _, t := range s.tenants {
			if !m.add(inv, local, t.demand.counts) {
				return false
			}
		}
	}
	return m.add(inv, local, d.counts)
}

// Undo takes back the last Add.
func (inv *Inventory) Undo() {
	u := inv.trail[len(inv.trail)-1]
	inv.trail = inv.trail[:len(inv.trail)-1]
	s := inv.sites[u.site]
	t := s.tenants[len(s.tenants)-1]
	s.tenants = s.tenants[:len(s.tenants)-1]
	inv.settle(t, nil)
	if t.odd {
		s.odd--
	}
	if u.before != nil {
		for i, r := range u.before {
			inv.settle(s.tenants[i], r)
		}
	}
	if len(s.tenants) == 0 {
		delete(inv.sites, u.site)
	}
}

// settle makes a tenant hold these results and no others.
func (inv *Inventory) settle(t *Tenant, results []resourceapi.AllocationResult) {
	for i := range t.results {
		inv.count(&t.results[i], -1)
	}
	t.results = results
	for i := range t.results {
		inv.count(&t.results[i], 1)
	}
}

// Results are the allocations of a tenant's claims, in their order. It is asked before Undo, when all tenants of the
// node have been added.
func (inv *Inventory) Results(t *Tenant) []resourceapi.AllocationResult {
	if t.results == nil && len(t.claims) > 0 {
		inv.assign(t.node.Name)
	}
	return t.results
}
