package devices

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/structured"
)

// features are those of Kubernetes 1.37 that are on by default, but for conditions that a device must meet before a pod is
// bound: such devices are not handed out.
var features = structured.Features{
	AdminAccess: true, ConsumableCapacity: true, DeviceTaints: true,
	FractionalCapacityRange: true, PartitionableDevices: true, PrioritizedList: true,
}

// allocatorSteps bounds a search of the allocator. A step is a device that is looked at, around a microsecond and, for
// the first look at each device and request, some ten microseconds more.
const allocatorSteps = 20_000

// budget is a context that is done after a number of looks at it: the allocator looks once a step.
type budget struct {
	context.Context
	left int
}

var errBudget = errors.New("the search for devices was given up after its number of steps")

func (b *budget) Err() error {
	if b.left--; b.left < 0 {
		return errBudget
	}
	return nil
}

// serve finds devices for a tenant beside those of its site: first with theirs as they are, then for all at once. What
// the others held before is noted in u.
func (inv *Inventory) serve(s *site, t *Tenant, u *undo) bool {
	if !inv.hopeful(t) {
		return false
	}
	open := false // some tenants have not been given devices yet
	var others []*Tenant
	if s != nil {
		for _, o := range s.tenants {
			if !o.fixed && len(o.claims) > 0 {
				others = append(others, o)
				open = open || o.results == nil
			}
		}
	}
	if !open {
		if r, ok := inv.allocate(t.node, t.claims); ok {
			inv.settle(t, r)
			return true
		}
		if len(others) == 0 {
			return false
		}
	}
	before := make([][]resourceapi.AllocationResult, len(s.tenants))
	for i, o := range s.tenants {
		before[i] = o.results
	}
	claims := t.claims
	for _, o := range others {
		inv.settle(o, nil)
		claims = append(claims[:len(claims):len(claims)], o.claims...)
	}
	r, ok := inv.allocate(t.node, claims)
	if !ok {
		for i, o := range s.tenants {
			if o.results == nil && before[i] != nil {
				inv.settle(o, before[i])
			}
		}
		return false
	}
	u.before = before
	inv.settle(t, r[:len(t.claims):len(t.claims)])
	r = r[len(t.claims):]
	for _, o := range others {
		inv.settle(o, r[:len(o.claims):len(o.claims)])
		r = r[len(o.claims):]
	}
	return true
}

// visible are the pools that have, or may have, devices for a node.
func (inv *Inventory) visible(name string) []*pool {
	var out []*pool
	if n := inv.fresh(name); n != nil {
		out = append(out, n.order...)
	}
	for _, p := range inv.shared {
		if n := inv.nodes[name]; n == nil || !n.pools[p] {
			out = append(out, p)
		}
	}
	return out
}

// hopeful: each request has some device that meets it in some pool of the node, whoever holds it. It saves asking the
// allocator about nodes that are of no use.
func (inv *Inventory) hopeful(t *Tenant) bool {
	pools := inv.visible(t.node.Name)
	for _, any := range t.demand.need {
		found := false
		for _, id := range any {
			w := inv.want(id)
			for _, p := range pools {
				if found = found || inv.offers(p, w); found {
					break
				}
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// offers reports whether some device of a pool meets a want.
func (inv *Inventory) offers(p *pool, w *want) bool {
	if m, ok := w.pools[p]; ok && m.version == p.version {
		return m.any
	}
	p.refresh()
	m := matchedPool{version: p.version}
	for _, s := range p.newest {
		for i := range s.Spec.Devices {
			m.any = m.any || p.flaw == "" && w.meets(p.driver, &s.Spec.Devices[i])
		}
	}
	w.pools[p] = m
	return m.any
}

// allocate asks the allocator for devices for claims on a node.
func (inv *Inventory) allocate(n *corev1.Node, claims []*resourceapi.ResourceClaim) ([]resourceapi.AllocationResult, bool) {
	if len(claims) == 0 {
		return nil, true
	}
	state := structured.AllocatedState{AllocatedDevices: sets.New[structured.DeviceID](),
		AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](), AggregatedCapacity: structured.NewConsumedCapacityCollection()}
	var slices []*resourceapi.ResourceSlice
	for _, p := range inv.visible(n.Name) {
		p.refresh()
		slices = append(slices, p.newest...)
		p.ids(&state)
	}
	ctx := &budget{Context: context.Background(), left: allocatorSteps}
	a, err := structured.NewAllocator(ctx, features, state, inv, slices, inv.cel)
	if err != nil {
		inv.fail(err)
		return nil, false
	}
	r, err := a.Allocate(ctx, n, claims)
	if err != nil {
		inv.fail(err)
	}
	return r, err == nil && len(r) == len(claims)
}

// fail remembers why the allocator gave up; a node for which there is nothing is no reason.
func (inv *Inventory) fail(err error) {
	if !errors.Is(err, structured.ErrFailedAllocationOnNode) {
		inv.trouble = err.Error()
	}
}

// Trouble is the last error of the allocator since it was last asked for: an expression that fails, a search that was
// given up. Empty for none.
func (inv *Inventory) Trouble() string {
	t := inv.trouble
	inv.trouble = ""
	return t
}
