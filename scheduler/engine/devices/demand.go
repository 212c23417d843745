package devices

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	resourceapi "k8s.io/api/resource/v1"
)

// Demand is what the claims of one pod ask for, taken together. Pods whose claims say the same share one.
type Demand struct {
	// ID tells demands apart. It follows from what they say, so that an order by it does not depend on history.
	ID string
	// Flaw says why it can never be met, whatever the devices; empty if it can.
	Flaw string

	claims []*resourceapi.ResourceClaim // one for each claim of the pod, with nothing but what it asks for
	exact  bool                         // exact numbers, no constraint between devices, nothing shared
	counts []Count                      // what is exact
	need   [][]int32                    // for each request the wants of which one must be met

	version uint64
	kinds   oddness
}

// Count is a number of devices of one kind.
type Count struct {
	want int32
	n    int32
}

// oddness says what kinds of devices meet a want, besides plain ones.
type oddness struct {
	version uint64
	odd     bool // some that are not plain
	shared  bool // some that several nodes may use
}

// manyDemands bounds how many demands are remembered by what they say.
const manyDemands = 4096

// DemandOf reads what claims ask for. Their names, owners and configurations do not matter.
func (inv *Inventory) DemandOf(specs ...*resourceapi.ResourceClaimSpec) *Demand {
	var key []byte
	for _, s := range specs {
		key = append(key, '|')
		b, err := json.Marshal([]any{s.Devices.Requests, s.Devices.Constraints})
		if err != nil { // API types always marshal
			panic(fmt.Sprintf("encoding a claim's requests: %v", err))
		}
		key = append(key, b...)
	}
	if d := inv.demands[string(key)]; d != nil {
		return d
	}
	if len(inv.demands) >= manyDemands {
		clear(inv.demands)
	}
	sum := sha256.Sum256(key)
	d := &Demand{ID: string(sum[:]), exact: true}
	inv.demands[string(key)] = d
	for i, s := range specs {
		c := &resourceapi.ResourceClaim{}
		c.Name = fmt.Sprint("claim-", i)
		c.Spec.Devices.Requests, c.Spec.Devices.Constraints = s.Devices.Requests, s.Devices.Constraints
		d.claims = append(d.claims, c)
		inv.readClaim(d, s)
	}
	return d
}

func (inv *Inventory) readClaim(d *Demand, s *resourceapi.ResourceClaimSpec) {
	d.exact = d.exact && len(s.Devices.Constraints) == 0
	total := int64(0)
	for _, r := range s.Devices.Requests {
		var any []int32
		for _, sub := range r.FirstAvailable {
			d.exact = false
			any = append(any, inv.wantFor(sub.DeviceClassName, sub.Selectors, sub.Tolerations))
		}
		x := r.Exactly
		if x == nil {
			if len(any) == 0 {
				d.Flaw = fmt.Sprintf("request %s asks in a way this scheduler does not know", r.Name)
			}
			d.need = append(d.need, any)
			continue
		}
		w := inv.wantFor(x.DeviceClassName, x.Selectors, x.Tolerations)
		d.need = append(d.need, []int32{w})
		if x.AllocationMode == resourceapi.DeviceAllocationModeAll || x.AdminAccess != nil && *x.AdminAccess ||
			x.Capacity != nil || len(x.DerivedAttributes) > 0 {
			d.exact = false
			continue
		}
		n := countOf(x)
		if n < 0 {
			d.Flaw = fmt.Sprintf("request %s asks for %d devices", r.Name, n)
			continue
		}
		if total += n; n > resourceapi.AllocationResultsMaxSize || total > resourceapi.AllocationResultsMaxSize {
			d.Flaw = fmt.Sprintf("request %s makes it more than the %d devices that a claim may hold", r.Name, resourceapi.AllocationResultsMaxSize)
			continue
		}
		d.want(w, int32(n))
	}
}

func (d *Demand) want(w, n int32) {
	for i := range d.counts {
		if d.counts[i].want == w {
			d.counts[i].n += n
			return
		}
	}
	d.counts = append(d.counts, Count{w, n})
}

// countOf is how many devices an exact request asks for; objects that were not defaulted ask for one.
func countOf(x *resourceapi.ExactDeviceRequest) int64 {
	if x.Count == 0 {
		return 1
	}
	return x.Count
}

// judge finds out what kinds of devices a demand concerns.
func (inv *Inventory) judge(d *Demand) oddness {
	if d.version == inv.version {
		return d.kinds
	}
	d.version, d.kinds = inv.version, oddness{odd: !d.exact}
	for _, any := range d.need {
		for _, id := range any {
			k := inv.kindsOf(id)
			d.kinds.odd = d.kinds.odd || k.odd
			d.kinds.shared = d.kinds.shared || k.shared
		}
	}
	return d.kinds
}

func (inv *Inventory) kindsOf(id int32) oddness {
	w := inv.want(id)
	if w.kinds.version == inv.version {
		return w.kinds
	}
	k := oddness{version: inv.version}
	for _, p := range inv.pools {
		p.refresh()
		if !p.odd || k.shared && k.odd {
			continue
		}
		for _, s := range p.newest {
			for i := range s.Spec.Devices {
				if d := &s.Spec.Devices[i]; (s.Spec.NodeName == nil || !plainDevice(d)) && w.meets(p.driver, d) {
					k.odd = true
					k.shared = k.shared || s.Spec.NodeName == nil
				}
			}
		}
	}
	w.kinds = k
	return k
}

// Plain reports whether Copies of the demand is exact: it asks for exact numbers of plain devices only.
func (inv *Inventory) Plain(d *Demand) bool { return !inv.judge(d).odd }

// Shared reports whether devices that several nodes may use can meet the demand, so that Copies does not look at
// devices, and Fits must be asked.
func (inv *Inventory) Shared(d *Demand) bool { return inv.judge(d).shared }

// Missing is the first DeviceClass that a demand names and that does not exist; empty for none. One that only an alternative
// names counts as well, and is told apart: the allocator refuses a request of which it cannot read every alternative.
func (inv *Inventory) Missing(d *Demand) (class string, alternative bool) {
	for _, any := range d.need {
		for _, id := range any {
			if w := inv.want(id); w.missing {
				return w.class, len(any) > 1
			}
		}
	}
	return "", false
}

// Fault says which expression of the demand or its classes cannot be read, or has failed on a device; empty for none.
func (inv *Inventory) Fault(d *Demand) string {
	for _, any := range d.need {
		for _, id := range any {
			if w := inv.want(id); w.fault != "" {
				return w.fault
			}
		}
	}
	return ""
}

// Broken says which expression can never be evaluated; unlike Fault not which one failed on some device.
func (inv *Inventory) Broken(d *Demand) string {
	for _, any := range d.need {
		for _, id := range any {
			if w := inv.want(id); w.broken {
				return w.fault
			}
		}
	}
	return ""
}
