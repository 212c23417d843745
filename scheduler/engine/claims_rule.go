package engine

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// selector is a node selector of an allocation, read.
type selector struct {
	of   *resourceapi.AllocationResult
	node string // the one node, where that is all it says
	any  *nodeaffinity.NodeSelector
	bad  bool // it cannot be read: no node is allowed
}

// readSelector reads where an allocation can be used.
func readSelector(a *resourceapi.AllocationResult) selector {
	s := selector{of: a}
	if a.NodeSelector == nil {
		return s
	}
	if t := a.NodeSelector.NodeSelectorTerms; len(t) == 1 && len(t[0].MatchExpressions) == 0 && len(t[0].MatchFields) == 1 {
		if f := t[0].MatchFields[0]; f.Key == "metadata.name" && f.Operator == corev1.NodeSelectorOpIn && len(f.Values) == 1 {
			s.node = f.Values[0]
			return s
		}
	}
	var err error
	s.any, err = nodeaffinity.NewNodeSelector(a.NodeSelector)
	s.bad = err != nil
	return s
}

func (s selector) allows(n *node) bool {
	switch {
	case s.bad:
		return false
	case s.node != "":
		return s.node == n.name
	case s.any != nil:
		return s.any.Match(objOf(n))
	}
	return true
}

// restrictingDevices are the claims of a pod that rule out nodes: those that have devices which not every node reaches,
// and those that pods share and that have none yet.
func (e *Engine) restrictingDevices(p *pod) []*deviceClaim {
	var out []*deviceClaim
	for _, u := range p.uses {
		if u.entry == "" || u.claim == nil || slices.Contains(out, u.claim) {
			continue
		}
		a := e.allocation(u.claim)
		if a == nil && p.own(u) || a != nil && a.NodeSelector == nil && p.byGroup(u) {
			continue // in the shape's demand, or without a say
		}
		out = append(out, u.claim)
	}
	return out
}

// devicesAllow: the node reaches the devices that claims of the kind have, and has some for those that have none yet and
// for the pod itself where the table cannot tell.
func (e *Engine) devicesAllow(k *kind, id int32) bool {
	n := e.nodes[id]
	var open []*deviceClaim
	for _, c := range k.devs {
		a := e.allocation(c)
		if c.obj == nil {
			return false
		}
		if a == nil {
			open = append(open, c)
			continue
		}
		if c.where.of != a {
			c.where = readSelector(a)
		}
		if !c.where.allows(n) || c.full(k.pods[0]) {
			return false
		}
	}
	d := e.wants(k.shape, n)
	if len(open) == 0 {
		return d == nil || !e.devices.Shared(d) || e.devices.Fits(objOf(n), d)
	}
	if !e.serveShared(open, n) {
		return false
	}
	ok := d == nil || e.devices.Fits(objOf(n), d)
	e.devices.Undo()
	for _, c := range open {
		c.tenant = nil
	}
	return ok
}

// full: no more pods can be entered for the claim.
func (c *deviceClaim) full(p *pod) bool {
	for _, u := range p.uses {
		if u.claim == c && p.byGroup(u) {
			return false // the group is entered once
		}
	}
	return c.obj != nil && max(len(c.obj.Status.ReservedFor), c.users) >= resourceapi.ResourceClaimReservedForMaxSize
}

// serveShared gives claims that pods share devices on a node, all at once.
func (e *Engine) serveShared(open []*deviceClaim, n *node) bool {
	specs := make([]*resourceapi.ResourceClaimSpec, len(open))
	claims := make([]*resourceapi.ResourceClaim, len(open))
	for i, c := range open {
		specs[i], claims[i] = &c.obj.Spec, c.obj
	}
	t := e.devices.Add(objOf(n), e.devices.DemandOf(specs...), claims, true)
	if t == nil {
		return false
	}
	for i, c := range open {
		c.tenant, c.place = t, i
	}
	return true
}
