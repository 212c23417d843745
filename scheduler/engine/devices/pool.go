package devices

import (
	"cmp"
	"fmt"
	"slices"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/dynamic-resource-allocation/structured"
)

type poolKey struct{ driver, name string }

// pool is a pool of a driver: its slices, and who holds its devices. It is kept while it has either.
type pool struct {
	poolKey
	slices map[string]*resourceapi.ResourceSlice // of every generation

	// Derived from the slices when stale is false.

	stale   bool
	version uint64
	newest  []*resourceapi.ResourceSlice // of the newest generation, by name
	flaw    string                       // why none of its devices can be used
	odd     bool                         // some device is not plain
	shared  bool                         // more than one node may use it

	held   map[string]int32 // by device: claims that hold it
	shares map[types.UID]share
	places map[string]place // of plain devices
}

// share is a part of a device that a claim holds.
type share struct {
	device string
	result *resourceapi.DeviceRequestAllocationResult
}

// place is where a plain device stands among its node's.
type place struct {
	node *node
	at   int
}

func compare(a, b string) int { return cmp.Compare(a, b) }

func (inv *Inventory) pool(driver, name string) *pool {
	k := poolKey{driver, name}
	p := inv.pools[k]
	if p == nil {
		p = &pool{poolKey: k, slices: map[string]*resourceapi.ResourceSlice{}, stale: true, held: map[string]int32{}}
		inv.pools[k] = p
	}
	return p
}

// UpsertSlice tells that a ResourceSlice exists and what it offers. The object is kept; it must not change.
func (inv *Inventory) UpsertSlice(obj *resourceapi.ResourceSlice) {
	inv.cut(obj.Name)
	inv.slices[obj.Name] = obj
	p := inv.pool(obj.Spec.Driver, obj.Spec.Pool.Name)
	p.slices[obj.Name] = obj
	inv.poolMoved(p)
}

// DeleteSlice tells that a ResourceSlice is gone. Claims that hold its devices hold on.
func (inv *Inventory) DeleteSlice(name string) { inv.cut(name) }

func (inv *Inventory) cut(name string) {
	old := inv.slices[name]
	if old == nil {
		return
	}
	p := inv.pool(old.Spec.Driver, old.Spec.Pool.Name)
	inv.poolMoved(p)
	delete(p.slices, name)
	delete(inv.slices, name)
	inv.leave(p)
}

// leave forgets a pool of which nothing is left.
func (inv *Inventory) leave(p *pool) {
	if len(p.slices)+len(p.held)+len(p.shares) > 0 {
		return
	}
	delete(inv.pools, p.poolKey)
	for _, w := range inv.wants {
		delete(w.pools, p)
	}
	inv.shared = slices.DeleteFunc(inv.shared, func(o *pool) bool { return o == p })
}

// poolMoved makes what is derived from a pool's slices void. Call it with the slices that were and with those that are.
func (inv *Inventory) poolMoved(p *pool) {
	inv.clock++
	p.stale, p.version = true, inv.clock
	shared, odd := false, p.odd
	for _, s := range p.slices {
		if s.Spec.NodeName == nil {
			shared = shared || len(s.Spec.Devices) > 0
			odd = true
			continue
		}
		odd = odd || len(s.Spec.SharedCounters) > 0 || slices.ContainsFunc(s.Spec.Devices, func(d resourceapi.Device) bool { return !plainDevice(&d) })
		n := inv.node(*s.Spec.NodeName)
		n.stale = true
		n.pools[p] = true
		inv.changed[n.name] = true
	}
	if odd || shared || p.shared {
		inv.version++ // a demand may have become plain or shared, or ceased to be
		inv.everywhere = true
	}
	at, in := slices.BinarySearchFunc(inv.shared, p, func(a, b *pool) int {
		return cmp.Or(compare(a.driver, b.driver), compare(a.name, b.name))
	})
	if shared && !in {
		inv.shared = slices.Insert(inv.shared, at, p)
	}
}

// refresh derives what the slices say.
func (p *pool) refresh() {
	if !p.stale {
		return
	}
	p.stale, p.newest, p.flaw, p.odd, p.shared = false, nil, "", false, false
	for _, s := range p.slices {
		if len(p.newest) > 0 && s.Spec.Pool.Generation < p.newest[0].Spec.Pool.Generation {
			continue
		}
		if len(p.newest) > 0 && s.Spec.Pool.Generation > p.newest[0].Spec.Pool.Generation {
			p.newest = p.newest[:0]
		}
		p.newest = append(p.newest, s)
	}
	slices.SortFunc(p.newest, func(a, b *resourceapi.ResourceSlice) int { return compare(a.Name, b.Name) })
	for _, s := range p.newest {
		p.shared = p.shared || s.Spec.NodeName == nil && len(s.Spec.Devices) > 0
		p.odd = p.odd || s.Spec.NodeName == nil || len(s.Spec.SharedCounters) > 0 ||
			slices.ContainsFunc(s.Spec.Devices, func(d resourceapi.Device) bool { return !plainDevice(&d) })
	}
	p.flaw = p.fault()
}

// fault says why no device of the pool can be used; empty if they can.
func (p *pool) fault() string {
	if len(p.newest) == 0 {
		return "no ResourceSlice describes it any more"
	}
	if n := p.newest[0].Spec.Pool.ResourceSliceCount; n != int64(len(p.newest)) {
		return fmt.Sprintf("%d of its %d ResourceSlices are there", len(p.newest), n)
	}
	names, sets := map[string]bool{}, map[string]map[string]resourceapi.Counter{}
	for _, s := range p.newest {
		for _, c := range s.Spec.SharedCounters {
			if sets[c.Name] != nil {
				return fmt.Sprintf("the counter set %s is described twice", c.Name)
			}
			sets[c.Name] = c.Counters
		}
	}
	for _, s := range p.newest {
		for i := range s.Spec.Devices {
			d := &s.Spec.Devices[i]
			if names[d.Name] {
				return fmt.Sprintf("the device %s is described twice", d.Name)
			}
			names[d.Name] = true
			for _, c := range d.ConsumesCounters {
				for counter := range c.Counters {
					if _, ok := sets[c.CounterSet][counter]; !ok {
						return fmt.Sprintf("device %s uses up counter %s of set %s, which does not exist", d.Name, counter, c.CounterSet)
					}
				}
			}
		}
	}
	return ""
}

// plainDevice: one claim takes all of it and nothing else, and it can be used at once.
func plainDevice(d *resourceapi.Device) bool {
	return len(d.ConsumesCounters) == 0 && (d.AllowMultipleAllocations == nil || !*d.AllowMultipleAllocations) &&
		len(d.BindingConditions) == 0 && len(d.NodeAllocatableResources) == 0
}

// ids is what of the pool is held, for the allocator.
func (p *pool) ids(s *structured.AllocatedState) {
	for d := range p.held {
		s.AllocatedDevices.Insert(structured.MakeDeviceID(p.driver, p.name, d))
	}
	for id, sh := range p.shares {
		dev := structured.MakeDeviceID(p.driver, p.name, sh.device)
		s.AllocatedSharedDeviceIDs.Insert(structured.MakeSharedDeviceID(dev, &id))
		if sh.result.ConsumedCapacity != nil {
			s.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(dev, sh.result.ConsumedCapacity))
		}
	}
}
