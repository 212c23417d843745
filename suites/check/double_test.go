package check

import (
	"fmt"
	"testing"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"muster/suites"
	. "muster/suites/history/historytest"
)

func TestNoDoubleAllocation(t *testing.T) {
	two := func() *Builder { return New().Claim("a").Claim("b") }
	shared := func(c *resourceapi.ResourceClaim) {
		id := types.UID("share")
		c.Status.Allocation.Devices.Results[0].ShareID = &id
	}
	sharing := func(device string, id types.UID) func(*resourceapi.ResourceClaim) {
		return func(c *resourceapi.ResourceClaim) {
			c.Status.Allocation = &resourceapi.AllocationResult{Devices: resourceapi.DeviceAllocationResult{Results: []resourceapi.DeviceRequestAllocationResult{
				{Request: "r", Driver: Driver, Pool: "p", Device: device, ShareID: &id}}}}
		}
	}
	admin := func(c *resourceapi.ResourceClaim) {
		yes := true
		c.Status.Allocation.Devices.Results[0].AdminAccess = &yes
	}
	try(t, noDoubleAllocation, []told{
		{"one device for two", two().Allocate("a", "p/d").Allocate("b", "p/d"), fail},
		{"one each", two().Allocate("a", "p/d").Allocate("b", "p/e"), pass},
		{"of two pools", two().Allocate("a", "p/d").Allocate("b", "q/d"), pass},
		{"one of several", two().Allocate("a", "p/c", "p/d").Allocate("b", "p/d", "p/e"), fail + " " + pass},
		{"twice to one claim", two().Allocate("a", "p/d", "p/d"), fail},
		{"given back before", two().Allocate("a", "p/d").Deallocate("a").Allocate("b", "p/d"), pass},
		{"gone before", two().Allocate("a", "p/d").ClaimGone("a").Allocate("b", "p/d"), pass},
		{"going is not gone", two().Allocate("a", "p/d").ClaimDeleting("a").Allocate("b", "p/d"), fail},
		{"a new claim of the name", two().Allocate("a", "p/d").ClaimGone("a").Claim("a").Allocate("a", "p/d"), pass},
		{"given back after", two().Allocate("a", "p/d").Allocate("b", "p/d").Deallocate("a"), fail},
		{"shares", two().Allocate("a", "p/d").ChangeClaim("a", shared).Deallocate("a").Allocate("b", "p/d"), pass},
		{"whole beside a share", two().Allocate("a", "p/d").ChangeClaim("a", shared).Allocate("b", "p/d"), fail},
		{"a share of what another has whole", two().Allocate("a", "p/d").ChangeClaim("b", sharing("d", "s")), fail},
		{"two shares", two().ChangeClaim("a", sharing("d", "s")).ChangeClaim("b", sharing("d", "t")), pass},
		{"one share twice", two().ChangeClaim("a", sharing("d", "s")).ChangeClaim("b", sharing("d", "s")), fail},
		{"by the driver", two().Allocate("a", "p/d").DriverAllocate("b", "p/d"), pass},
		{"over what the driver gave", two().DriverAllocate("a", "p/d").Allocate("b", "p/d"), fail},
		{"for an administrator", New().Claim("a").Claim("b").Allocate("a", "p/d").ChangeClaim("b", func(c *resourceapi.ResourceClaim) {
			c.Status.Allocation = &resourceapi.AllocationResult{Devices: resourceapi.DeviceAllocationResult{Results: []resourceapi.DeviceRequestAllocationResult{
				{Request: "r", Driver: Driver, Pool: "p", Device: "d"}}}}
			admin(c)
		}), pass},
		{"no claims", New().Nodes(1), nothing},
		{"a gap in claims", two().BreakWatch("resourceclaims").Allocate("a", "p/d"), doubt},
	})
}

// Whatever happens to claims, the check fails exactly when some prefix of the record has a device in two hands.
func TestNoDoubleAllocationOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := New()
		names := []string{"a", "b", "c"}
		holds := map[string][]string{} // claim → devices; absent: no such claim
		for _, n := range names {
			b.Claim(n)
			holds[n] = nil
		}
		twice := false
		for range rapid.IntRange(1, 14).Draw(t, "steps") {
			n := rapid.SampledFrom(names).Draw(t, "claim")
			have, there := holds[n]
			switch what := rapid.SampledFrom([]string{"allocate", "deallocate", "delete"}).Draw(t, "what"); {
			case !there:
				b.Claim(n)
				holds[n] = nil
			case what == "delete":
				b.ClaimGone(n)
				delete(holds, n)
			case what == "deallocate" && len(have) > 0:
				b.Deallocate(n)
				holds[n] = nil
			case what == "allocate" && len(have) == 0:
				holds[n] = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"p/0", "p/1", "p/2"}), 1, 2, rapid.ID[string]).Draw(t, "devices")
				b.Allocate(n, holds[n]...)
			}
			seen := map[string]bool{}
			for _, devices := range holds {
				for _, d := range devices {
					twice = twice || seen[d]
					seen[d] = true
				}
			}
		}
		failed := false
		for _, f := range noDoubleAllocation.Func(b.View()) {
			failed = failed || f.Verdict == suites.Fail
		}
		if failed != twice {
			t.Fatalf("the check fails: %t, a device was in two hands: %t\n%s", failed, twice, fmt.Sprint(holds))
		}
	})
}
