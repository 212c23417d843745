package engine

import (
	"slices"

	resourceapi "k8s.io/api/resource/v1"

	"muster/scheduler/engine/devices"
)

// lodge gives a pod that is being tried on a node its devices: those of claims it shares, where they have none yet, then
// those of its own.
func (e *Engine) lodge(p *pod, id int32) *devices.Tenant {
	n := e.nodes[id]
	if len(p.uses) == 0 && !e.asksDevices(p.shape) {
		return nil
	}
	var open []*deviceClaim
	var own []*resourceapi.ResourceClaim
	for _, u := range p.uses {
		switch {
		case u.entry == "" || u.claim == nil || e.allocation(u.claim) != nil:
		case !p.own(u):
			open = append(open, u.claim)
		default:
			own = append(own, u.claim.obj)
		}
	}
	if len(open) > 0 {
		if !e.lodgeShared(open, id) {
			e.devices.slipped = true
			return nil
		}
		e.trail[len(e.trail)-1].attached = true
	}
	d := e.wants(p.shape, n)
	if d == nil {
		return nil
	}
	if x := p.shape.devices.extended; x != nil && e.asksDevices(p.shape) {
		if set := e.through(p.shape, n); set != 0 {
			own = append(own, e.extendedClaim(p, set))
		}
	}
	t := e.devices.Add(objOf(n), d, own, false)
	if t == nil {
		e.devices.slipped = true // a table or a rule said that it fits
	}
	e.devicesMoved()
	return t
}

// lodgeShared gives claims devices for the length of a trial.
func (e *Engine) lodgeShared(open []*deviceClaim, id int32) bool {
	if !e.serveShared(open, e.nodes[id]) {
		return false
	}
	e.trail = append(e.trail, step{node: id, tenant: open[0].tenant, shared: open})
	e.devicesMoved()
	e.touch(e.nodes[id])
	return true
}

// leave takes back what lodge did.
func (e *Engine) leave(s *step) {
	if s.tenant == nil {
		return
	}
	e.devices.Undo()
	for _, c := range s.shared {
		c.tenant = nil
	}
	e.devicesMoved()
	e.touch(e.nodes[s.node])
}

// extendedClaim is the claim that is to be made for a pod's extended resources.
func (e *Engine) extendedClaim(p *pod, set uint64) *resourceapi.ResourceClaim {
	c := &resourceapi.ResourceClaim{}
	c.Namespace = p.Namespace
	c.Spec.Devices.Requests, _ = p.shape.devices.extended.requests(set)
	return c
}

// checkLodged turns a decision that stands on devices which were not there into one that places nothing. It would be a
// mistake of this engine; nobody may be bound upon it.
func (e *Engine) checkLodged(d *Decision) {
	if !e.devices.slipped {
		return
	}
	e.devices.slipped = false
	r := Reason{Code: DeviceFault, Detail: "the devices counted on a node could not be handed out there; this is a fault of the scheduler"}
	for _, p := range d.Placements {
		d.Left = append(d.Left, Leftover{Pod: p.Pod, Reason: r})
	}
	d.Placements, d.Outcome, d.Reason = nil, Error, r
	for i := range d.Groups {
		g := &d.Groups[i]
		g.Outcome, g.Reason, g.Placed, g.Satisfied = Error, r, 0, false
	}
}

// useDevices counts who uses a claim. In a trial a claim whose pods are all taken away gives its devices up, and takes
// them back with the first that returns; a claim that is reserved for a group outlives the pods.
func (e *Engine) useDevices(p *pod, c *deviceClaim, by int32) {
	if c == nil {
		return
	}
	c.users += int(by)
	if !e.trial || p.phase != bound {
		return
	}
	switch a := c.settled(); {
	case a == nil:
	case c.users == 0 && !c.lent && !c.reservedForGroup():
		c.lent = true
		e.devices.Drop(c.holding())
		e.devicesMoved()
	case c.users > 0 && c.lent:
		c.lent = false
		e.devices.Hold(c.holding(), a)
		e.devicesMoved()
	}
}

func (c *deviceClaim) reservedForGroup() bool {
	return c.obj != nil && slices.ContainsFunc(c.obj.Status.ReservedFor, func(r resourceapi.ResourceClaimConsumerReference) bool { return r.Resource != "pods" })
}

// lendAbandoned frees, for the length of a trial, the devices of claims that no pod names any more and that are reserved
// for no group: their pods are gone, and the control plane is about to free them. It reports whether there are any;
// reclaim takes them back.
func (e *Engine) lendAbandoned() bool {
	any := false
	for _, c := range e.devices.claims {
		if len(c.pods) == 0 && c.obj != nil && !c.lent && c.settled() != nil && len(c.obj.Status.ReservedFor) > 0 && !c.reservedForGroup() {
			c.lent, any = true, true
			e.devices.Drop(c.holding())
		}
	}
	e.devicesMoved()
	return any
}

// reclaim is the reverse of lendAbandoned.
func (e *Engine) reclaim() {
	for _, c := range e.devices.claims {
		if c.lent && len(c.pods) == 0 {
			c.lent = false
			e.devices.Hold(c.holding(), c.settled())
		}
	}
	e.devicesMoved()
}
