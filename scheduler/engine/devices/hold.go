package devices

import (
	"slices"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Hold notes that a claim, by whatever name the caller gives it, has an allocation. What it held before is dropped.
// Devices that no slice describes are held all the same: they may come back.
func (inv *Inventory) Hold(claim string, a *resourceapi.AllocationResult) {
	if old := inv.holdings[claim]; old != nil && Same(old, a) {
		inv.holdings[claim] = a
		return
	}
	inv.Drop(claim)
	inv.holdings[claim] = a
	inv.count(a, 1)
}

// Same reports whether two allocations hand out the same devices; nil hands out none.
func Same(a, b *resourceapi.AllocationResult) bool {
	if a == nil || b == nil {
		return a == b
	}
	return slices.EqualFunc(a.Devices.Results, b.Devices.Results, func(x, y resourceapi.DeviceRequestAllocationResult) bool {
		return x.Driver == y.Driver && x.Pool == y.Pool && x.Device == y.Device && deref(x.ShareID) == deref(y.ShareID) &&
			deref(x.AdminAccess) == deref(y.AdminAccess)
	})
}

func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// Drop notes that a claim has no allocation any more.
func (inv *Inventory) Drop(claim string) {
	if a := inv.holdings[claim]; a != nil {
		delete(inv.holdings, claim)
		inv.count(a, -1)
	}
}

// Held is the allocation of a claim; nil for none.
func (inv *Inventory) Held(claim string) *resourceapi.AllocationResult { return inv.holdings[claim] }

// count adds what an allocation takes, or with -1 gives it back.
func (inv *Inventory) count(a *resourceapi.AllocationResult, by int32) {
	for i := range a.Devices.Results {
		r := &a.Devices.Results[i]
		if r.AdminAccess != nil && *r.AdminAccess {
			continue // takes nothing from others
		}
		p := inv.pool(r.Driver, r.Pool)
		p.take(r, by)
		if at, ok := p.places[r.Device]; ok {
			inv.mark(at, p.held[r.Device] == 0)
			inv.touch(at.node.name)
		} else {
			inv.poolTouched(p)
		}
		inv.leave(p)
	}
}

func (p *pool) take(r *resourceapi.DeviceRequestAllocationResult, by int32) {
	if r.ShareID == nil {
		if p.held[r.Device] += by; p.held[r.Device] == 0 {
			delete(p.held, r.Device)
		}
		return
	}
	if by < 0 {
		delete(p.shares, *r.ShareID)
		return
	}
	if p.shares == nil {
		p.shares = map[types.UID]share{}
	}
	p.shares[*r.ShareID] = share{r.Device, r}
}

func (inv *Inventory) touch(name string) {
	if inv.quiet == 0 {
		inv.changed[name] = true
	}
}

func (inv *Inventory) mark(at place, free bool) {
	bit := uint64(1) << (at.at % 64)
	if free {
		at.node.free[at.at/64] |= bit
	} else {
		at.node.free[at.at/64] &^= bit
	}
}

// poolTouched names the nodes to which it may matter that something of a pool was taken or given back. Of a pool that
// many nodes may use it names none: for these nothing is kept that would have to be looked at again.
func (inv *Inventory) poolTouched(p *pool) {
	for _, s := range p.slices {
		if s.Spec.NodeName != nil {
			inv.touch(*s.Spec.NodeName)
		}
	}
}

// Gone is a device of an allocation that no slice describes any more, as driver/pool/device; empty if all are there.
func (inv *Inventory) Gone(a *resourceapi.AllocationResult) string {
	for i := range a.Devices.Results {
		r := &a.Devices.Results[i]
		if !inv.knows(r) {
			return r.Driver + "/" + r.Pool + "/" + r.Device
		}
	}
	return ""
}

func (inv *Inventory) knows(r *resourceapi.DeviceRequestAllocationResult) bool {
	p := inv.pools[poolKey{r.Driver, r.Pool}]
	if p == nil {
		return false
	}
	if at, ok := p.places[r.Device]; ok && !at.node.stale {
		return true
	}
	p.refresh()
	for _, s := range p.newest {
		for i := range s.Spec.Devices {
			if s.Spec.Devices[i].Name == r.Device {
				return true
			}
		}
	}
	return false
}
