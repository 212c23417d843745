package engine

import (
	"slices"

	"muster/scheduler/engine/devices"
)

// step is one placement of a trial.
type step struct {
	pod    *pod // nil where only claims were given devices
	node   int32
	tenant *devices.Tenant // that it is for the devices; nil if it asks for none
	shared []*deviceClaim  // without pod: the claims that were given devices
	// attached: it belongs to the next step, and goes with it.
	attached bool
}

// put makes a pod take room on a node.
func (e *Engine) put(p *pod, id int32) {
	n := e.nodes[id]
	p.node, p.holds = id, true
	n.count++
	for _, a := range p.shape.requests {
		e.set(&n.used, a.res, at(n.used, a.res)+a.v)
	}
	n.ports = append(n.ports, p.shape.ports...)
	e.countIn(p, id, 1)
	e.touch(n)
}

// take frees the room a pod takes.
func (e *Engine) take(p *pod) {
	n := e.nodes[p.node]
	n.count--
	for _, a := range p.shape.requests {
		n.used[a.res] -= a.v
	}
	for _, pt := range p.shape.ports {
		if i := slices.Index(n.ports, pt); i >= 0 {
			n.ports = slices.Delete(n.ports, i, i+1)
		}
	}
	e.countIn(p, p.node, -1)
	p.node, p.holds = noNode, false
	e.touch(n)
	if !e.trial {
		e.freed++
		e.wakeKeeper(n)
	}
}

// countIn keeps the counters that rules about other pods read.
func (e *Engine) countIn(p *pod, id, by int32) {
	if len(p.labels.matched) > 0 && !e.trial {
		e.waiting.changed = true // it may be the pod that another wants to be near
	}
	for _, t := range p.labels.matched {
		if !(t.lively && p.terminating) {
			t.count(id, by)
		}
	}
	if p.shape.rules != nil {
		for _, t := range p.shape.rules.anti {
			t.own(id, by)
		}
	}
	for _, c := range p.claims {
		c.use(id, by)
	}
	for _, u := range p.uses {
		e.useDevices(p, u.claim, by)
	}
}

// try places a pod for the length of a trial.
func (e *Engine) try(p *pod, id int32) {
	tenant := e.lodge(p, id)
	e.put(p, id)
	e.trail = append(e.trail, step{pod: p, node: id, tenant: tenant})
}

// back takes back what was tried since the trail had the given length.
func (e *Engine) back(mark int) {
	for len(e.trail) > mark {
		last := len(e.trail) - 1
		e.leave(&e.trail[last])
		if p := e.trail[last].pod; p != nil {
			e.take(p)
		}
		e.trail = e.trail[:last]
	}
}

// Assume takes the placements as carried out, so that what follows sees them. A pod that is gone, or has a node already,
// is passed over; the pods taken are returned.
func (e *Engine) Assume(placements []Placement) []PodRef {
	out := make([]PodRef, 0, len(placements))
	for _, pl := range placements {
		p := e.pods[pl.Pod.Key]
		if p == nil || p.uid != pl.Pod.UID || p.phase != pending {
			continue
		}
		if p.group != nil {
			p.group.remove(p)
		}
		n := e.nodeFor(pl.Node)
		n.named++
		e.movedOn(p.Key, false, true)
		e.wakeSeated(n, e.rootOf(p)) // who was to have the room may have to look for other
		p.phase, p.assumed = bound, true
		e.assumeDevices(p, pl.Devices)
		e.put(p, n.id)
		if p.group != nil {
			p.group.add(p)
		}
		out = append(out, pl.Pod)
	}
	return out
}

// Forget takes back an assumption: the bind did not succeed. A pod that was seen bound meanwhile stays where it is.
func (e *Engine) Forget(ref PodRef) {
	p := e.pods[ref.Key]
	if p == nil || p.uid != ref.UID || !p.assumed {
		return
	}
	if p.group != nil {
		p.group.remove(p)
	}
	n := e.nodes[p.node]
	e.take(p)
	n.named--
	e.release(n)
	p.phase, p.assumed = pending, false
	e.forgetDevices(p)
	if p.group != nil {
		p.group.add(p)
	}
	e.waiting.changed = true
	e.waiting.wake(e.rootOf(p))
}
