package engine

import (
	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"

	"muster/scheduler/engine/devices"
)

// deviceState is what the engine knows of devices and of the claims on them.
type deviceState struct {
	*devices.Inventory
	claims  map[Key]*deviceClaim
	made    map[types.UID]*deviceClaim // for extended resources, by pod
	epoch   uint64                     // counts changes of classes
	slipped bool                       // in this attempt a pod was placed whose devices were not there after all
}

func (s *deviceState) init() {
	s.Inventory, s.claims, s.made, s.epoch = devices.New(), map[Key]*deviceClaim{}, map[types.UID]*deviceClaim{}, 1
}

// deviceClaim is a ResourceClaim; it is kept as soon as a pod names it.
type deviceClaim struct {
	Key
	obj     *resourceapi.ResourceClaim    // nil: there is no such object
	demand  *devices.Demand               // what it asks for by itself
	assumed *resourceapi.AllocationResult // decided, and not yet seen in the API
	pods    []*pod                        // that name it
	users   int                           // of those, the placed ones

	// In a trial:
	tenant *devices.Tenant // if it is given devices
	place  int             // its place among the tenant's claims
	lent   bool            // all that used it are taken away, and its devices with them

	where selector // of the allocation it was read from
}

// UpsertResourceClaim tells that a ResourceClaim exists and what it looks like. The object is kept; it must not change.
func (e *Engine) UpsertResourceClaim(obj *resourceapi.ResourceClaim) {
	c := e.deviceClaimFor(Key{obj.Namespace, obj.Name})
	if c.obj != nil && c.obj.UID != obj.UID {
		c.assumed = nil
	}
	if c.obj == nil || c.obj.UID != obj.UID {
		c.demand = e.devices.DemandOf(&obj.Spec)
	}
	had := e.devices.Held(c.holding())
	c.obj = obj
	if pod := madeFor(obj); pod != "" {
		e.devices.made[pod] = c
	}
	switch a := obj.Status.Allocation; {
	case a != nil:
		c.assumed = nil
		e.devices.Hold(c.holding(), a)
		e.devices.Drop(extendedHolding(madeFor(obj)))
	case c.assumed == nil:
		e.devices.Drop(c.holding())
	}
	e.claimMoved(c, had)
}

// DeleteResourceClaim tells that a ResourceClaim is gone, and what it held is free.
func (e *Engine) DeleteResourceClaim(k Key) {
	c := e.devices.claims[k]
	if c == nil {
		return
	}
	had := e.devices.Held(c.holding())
	if c.obj != nil {
		delete(e.devices.made, madeFor(c.obj))
	}
	c.obj, c.assumed, c.demand = nil, nil, nil
	e.devices.Drop(c.holding())
	e.claimMoved(c, had)
	e.dropDeviceClaim(c)
}

// claimMoved looks again at who names a claim and at the nodes whose devices it had or has.
func (e *Engine) claimMoved(c *deviceClaim, had *resourceapi.AllocationResult) {
	for _, p := range c.pods {
		if p.phase == pending || p.phase == gated {
			e.fit(p)
			e.waiting.wake(e.rootOf(p))
		}
	}
	if had != nil && !devices.Same(had, e.devices.Held(c.holding())) {
		e.waiting.changed = true // some devices may have come free
		e.wakeNominated()
	}
	e.devicesMoved()
}

// UpsertDeviceClass tells that a DeviceClass exists and what it says.
func (e *Engine) UpsertDeviceClass(obj *resourceapi.DeviceClass) {
	e.devices.UpsertClass(obj)
	e.devices.epoch++
	e.waiting.changed = true
	e.devicesMoved()
}

// DeleteDeviceClass tells that a DeviceClass is gone.
func (e *Engine) DeleteDeviceClass(name string) {
	e.devices.DeleteClass(name)
	e.devices.epoch++
	e.waiting.changed = true
	e.devicesMoved()
}

// UpsertResourceSlice tells that a ResourceSlice exists and what it offers, the taints of DeviceTaintRules included. The
// object is kept; it must not change.
func (e *Engine) UpsertResourceSlice(obj *resourceapi.ResourceSlice) {
	e.devices.UpsertSlice(obj)
	e.waiting.changed = true
	e.devicesMoved()
}

// DeleteResourceSlice tells that a ResourceSlice is gone.
func (e *Engine) DeleteResourceSlice(name string) {
	e.devices.DeleteSlice(name)
	e.waiting.changed = true
	e.devicesMoved()
}

// devicesMoved makes tables look again at nodes whose devices changed.
func (e *Engine) devicesMoved() {
	names, all := e.devices.Changed()
	if all {
		for _, n := range e.nodes {
			e.touch(n)
		}
	}
	for _, name := range names {
		if id, ok := e.byName[name]; ok {
			e.touch(e.nodes[id])
			if !e.trial {
				e.wakeKeeper(e.nodes[id])
			}
		}
	}
	if !e.trial && (all || len(names) > 0) {
		e.freed++
	}
}

func (e *Engine) deviceClaimFor(k Key) *deviceClaim {
	c := e.devices.claims[k]
	if c == nil {
		c = &deviceClaim{Key: k}
		e.devices.claims[k] = c
	}
	return c
}

func (e *Engine) dropDeviceClaim(c *deviceClaim) {
	if c.obj == nil && len(c.pods) == 0 && c.assumed == nil && e.devices.claims[c.Key] == c {
		delete(e.devices.claims, c.Key)
	}
}

// holding is the name under which the claim holds devices.
func (c *deviceClaim) holding() string { return c.Key.String() }

func (c *deviceClaim) uid() types.UID {
	if c.obj == nil {
		return ""
	}
	return c.obj.UID
}

// settled is the allocation that a claim has outside of trials; nil for none.
func (c *deviceClaim) settled() *resourceapi.AllocationResult {
	if c.assumed != nil || c.obj == nil {
		return c.assumed
	}
	return c.obj.Status.Allocation
}

// allocation is the one it has now, in a trial perhaps; nil for none.
func (e *Engine) allocation(c *deviceClaim) *resourceapi.AllocationResult {
	switch {
	case c.tenant != nil:
		return &e.devices.Results(c.tenant)[c.place]
	case c.lent:
		return nil
	}
	return c.settled()
}

// objOf is a node as the devices see it.
func objOf(n *node) *corev1.Node {
	if n.obj == nil {
		n.obj = &corev1.Node{}
		n.obj.Name, n.obj.Labels = n.name, n.labels
	}
	return n.obj
}
