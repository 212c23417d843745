package engine

import (
	"fmt"
	"slices"

	resourceapi "k8s.io/api/resource/v1"

	"muster/scheduler/engine/devices"
)

// shapeDevices is what a shape asks for of devices.
type shapeDevices struct {
	// base is the shape without the demand of claims, of which this is a variant: pods that differ only in what their own
	// claims ask for have different shapes, with a table for each.
	base   *shape
	demand *devices.Demand
	specs  []*resourceapi.ResourceClaimSpec // that make the demand
	// extended are the containers of pods that ask for extended resources, which a class may offer through devices.
	extended *extended
}

// plain is the shape without the demand of claims.
func (s *shape) plain() *shape {
	if s.devices.base != nil {
		return s.devices.base
	}
	return s
}

// asksDevices: where pods of the shape may be can depend on devices, so that placing one may have to give it some.
func (e *Engine) asksDevices(s *shape) bool {
	if x := s.devices.extended; x != nil {
		if e.know(x); x.offered {
			return true
		}
	}
	return s.devices.demand != nil
}

// fit gives a waiting pod the shape that says what its own claims without allocation ask for.
func (e *Engine) fit(p *pod) {
	if p.phase != pending && p.phase != gated || p.shape == nil {
		return
	}
	var specs []*resourceapi.ResourceClaimSpec
	for _, u := range p.uses {
		if u.entry != "" && p.own(u) && u.claim.obj != nil && u.claim.settled() == nil {
			specs = append(specs, &u.claim.obj.Spec)
		}
	}
	base, want := p.shape.plain(), p.shape.plain()
	if len(specs) > 0 {
		want = e.variant(base, specs)
	}
	if want == p.shape {
		if want != base {
			e.dropShape(want) // the reference variant has just given
		}
		return
	}
	old := p.shape
	if want == base {
		base.refs++
	}
	p.shape = want
	e.dropShape(old)
}

// variant interns the shape that asks for what claims ask for, besides what base does; the caller owns one reference.
func (e *Engine) variant(base *shape, specs []*resourceapi.ResourceClaimSpec) *shape {
	d := e.devices.DemandOf(specs...)
	id := base.id + "\x00devices" + d.ID
	if s := e.shapes[id]; s != nil {
		s.refs++
		return s
	}
	s := *base
	s.id, s.refs, s.table, s.blocked, s.freed, s.untold, s.looked = id, 1, nil, nil, 0, false, 0
	s.devices = shapeDevices{base: base, demand: d, specs: specs}
	if x := base.devices.extended; x != nil {
		s.devices.extended = x.fresh()
	}
	base.refs++
	e.shapes[id] = &s
	return &s
}

// wants is what a pod of the shape asks for of the devices of a node, without what its shared claims do; nil for nothing.
func (e *Engine) wants(s *shape, n *node) *devices.Demand {
	if x := s.devices.extended; x == nil || !e.asksDevices(s) {
		return s.devices.demand
	}
	return e.extendedOn(s, n)
}

// deviceCopies is how many of c copies the node's devices let in.
func (e *Engine) deviceCopies(s *shape, n *node, c int32) int32 {
	if c == 0 || !e.asksDevices(s) {
		return c
	}
	if d := e.wants(s, n); d != nil {
		return e.devices.Copies(objOf(n), d, c)
	}
	return c
}

// plainDevices: how many copies fit on each node is told exactly by the table.
func (e *Engine) plainDevices(s *shape) bool {
	if d := s.devices.demand; d != nil && !e.devices.Plain(d) {
		return false
	}
	return s.devices.extended == nil || e.plainExtended(s)
}

// demandReady says why a demand cannot be met whatever devices there are.
func (e *Engine) demandReady(d *devices.Demand) Reason {
	if d.Flaw != "" {
		return Reason{Code: DeviceFault, Detail: d.Flaw}
	}
	if class, alternative := e.devices.Missing(d); class != "" {
		r := Reason{Code: DeviceClassMissing, Object: class}
		if alternative {
			r.Detail = "a request needs the classes of all its alternatives"
		}
		return r
	}
	if broken := e.devices.Broken(d); broken != "" {
		return Reason{Code: DeviceFault, Detail: broken}
	}
	return Reason{}
}

// deviceSignature is equal for nodes whose devices are interchangeable for kinds that are placed in bulk.
func (e *Engine) deviceSignature(b []byte, kinds []*kind, n *node) []byte {
	var list []*devices.Demand
	for _, k := range kinds {
		if e.asksDevices(k.shape) {
			d := e.wants(k.shape, n)
			b = fmt.Appendf(b, "|%v", d != nil)
			if d != nil && !slices.Contains(list, d) {
				list = append(list, d)
			}
		}
	}
	if len(list) > 0 {
		b = e.devices.Signature(b, n.name, list)
	}
	return b
}
