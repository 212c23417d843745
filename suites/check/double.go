package check

import (
	"fmt"
	"maps"
	"slices"

	"muster/suites"
	"muster/suites/history"
)

const claimsResource = "resourceclaims.resource.k8s.io"

var noDoubleAllocation = Check{
	ID: "INV-009", Name: "NoDoubleAllocation",
	Rule: `"AllowMultipleAllocations marks whether the device is allowed to be allocated to multiple DeviceRequests." (resource/v1 Device.allowMultipleAllocations)`,
	Func: func(v *history.View) []suites.Finding {
		r := reportFor(v, "INV-009", "NoDoubleAllocation", false, claimsResource)
		devices := map[string][]holding{}
		for _, c := range v.Claims {
			for name, list := range holdingsOf(c) {
				devices[name] = append(devices[name], list...)
			}
		}
		held := 0
		for _, name := range slices.Sorted(maps.Keys(devices)) {
			if once(v, r, name, devices[name]) {
				held++
			}
		}
		if held > 0 {
			r.pass("%d devices belonged to one claim at a time", held)
		}
		return r.findings()
	},
}

// holding is a stretch of the record in which a claim held a device. A zero to is the end of the record.
type holding struct {
	claim    *history.Claim
	from, to history.Stamp
	// rv of the write that began it.
	rv string
	// share of the device; empty: all of it.
	share string
}

// apart reports whether two claims may hold the device at a time: each a share of its own.
func (h holding) apart(o holding) bool { return h.share != "" && o.share != "" && h.share != o.share }

// holdingsOf are the stretches in which a claim held each device, administrative access aside.
func holdingsOf(c *history.Claim) map[string][]holding {
	out := map[string][]holding{}
	for i, a := range c.Allocated {
		to := c.Gone
		if i+1 < len(c.Allocated) {
			to = c.Allocated[i+1].Stamp
		}
		for _, d := range a.Value.Devices() {
			if d.AdminAccess != nil && *d.AdminAccess {
				continue
			}
			share := ""
			if d.ShareID != nil {
				share = string(*d.ShareID)
			}
			name := fmt.Sprintf("%s/%s/%s", d.Driver, d.Pool, d.Device)
			out[name] = append(out[name], holding{claim: c, from: a.Stamp, to: to, rv: a.Value.RV, share: share})
		}
	}
	return out
}

// once fails the first stretch that begins while another one lasts. It reports whether there was none. Claims are one
// resource, so its versions order their changes whatever the storage; what the driver allocated is not held against anybody.
func once(v *history.View, r *report, device string, list []holding) bool {
	slices.SortStableFunc(list, func(a, b holding) int {
		switch {
		case a.from.Before(b.from):
			return -1
		case b.from.Before(a.from):
			return 1
		}
		return 0
	})
	for i, later := range list {
		for _, earlier := range list[:i] {
			if later.apart(earlier) || reached(earlier.to, later.from) || v.ClaimByDriver(later.rv) {
				continue
			}
			objects := []string{claimName(earlier.claim), claimName(later.claim)}
			r.fail(later.from, objects, "device %s was given to claim %s while claim %s holds it", device, later.claim.Name, earlier.claim.Name)
			return false
		}
	}
	return true
}

func claimName(c *history.Claim) string { return "resourceclaim " + c.Namespace + "/" + c.Name }
