package check

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"pgregory.net/rapid"

	"muster/suites"
	"muster/suites/history"
	. "muster/suites/history/historytest"
)

// asking makes a claim one that needs a device.
func asking(c *resourceapi.ResourceClaim) {
	c.Spec.Devices.Requests = []resourceapi.DeviceRequest{{Name: "r"}}
}

func TestClaimLifecycleOfBinds(t *testing.T) {
	own := func(change ...func(*history.Header, *history.Scope)) *Builder {
		return New(change...).Nodes(2).Claim("c", asking).Pod("p", "", UsesClaim("gpu", "c"))
	}
	shared := func() *Builder {
		return New().Nodes(2).Gang("g", 2).Claim("c", asking).Pods("g", 2, UsesClaim("gpu", "c"))
	}
	made := func() *Builder {
		b := New().Nodes(2).Gang("g", 1).Pod("p", "g", UsesTemplate("gpu", "t")).GangClaim("g", "gpu", "c")
		return b.ChangeClaim("c", asking).PodHasClaim("p", "gpu", "c")
	}
	try(t, claimLifecycle, []told{
		{"in order", own().Allocate("c", "x/d").Reserve("c", "pod:p").Bind("p", "node-0"), pass},
		{"not allocated", own().Reserve("c", "pod:p").Bind("p", "node-0"), fail},
		{"allocated later", own().Reserve("c", "pod:p").Bind("p", "node-0").Allocate("c", "x/d"), fail},
		{"not reserved", own().Allocate("c", "x/d").Bind("p", "node-0"), fail},
		{"reserved later", own().Allocate("c", "x/d").Bind("p", "node-0").Reserve("c", "pod:p"), fail},
		{"reserved for another", own().Pod("q", "").Allocate("c", "x/d").Reserve("c", "pod:q").Bind("p", "node-0"), fail},
		{"nothing to allocate", New().Nodes(1).Claim("c").Pod("p", "", UsesClaim("gpu", "c")).Reserve("c", "pod:p").Bind("p", "node-0"), pass},
		{"for the group", shared().Allocate("c", "x/d").Reserve("c", "gang:g").Bind("g-0", "node-0").Bind("g-1", "node-1"), pass},
		{"for another group", shared().Gang("h", 1).Allocate("c", "x/d").Reserve("c", "gang:h").Bind("g-0", "node-0"), fail},
		{"for an earlier group of its name", shared().Allocate("c", "x/d").Reserve("c", "gang:g").Gone("g-0", "g-1").GangGone("g").
			Gang("g", 1).Pod("p", "g", UsesClaim("gpu", "c")).Bind("p", "node-0"), fail},
		{"made from a template", made().Allocate("c", "x/d").Reserve("c", "gang:g").Bind("p", "node-0"), pass},
		{"made and not allocated", made().Reserve("c", "gang:g").Bind("p", "node-0"), fail},
		{"bound before its claim was made", New().Nodes(1).Pod("p", "", UsesTemplate("gpu", "t")).Bind("p", "node-0").PodClaim("p", "gpu", "c").ChangeClaim("c", asking), fail},
		{"bound before its claim was there", New().Nodes(1).Pod("p", "", UsesClaim("gpu", "c")).Bind("p", "node-0").Claim("c", asking), fail},
		{"its claim was made again", New().Nodes(1).Pod("p", "", UsesTemplate("gpu", "t")).PodClaim("p", "gpu", "c").Allocate("c", "x/d").Reserve("c", "pod:p").
			Bind("p", "node-0").ClaimGone("c").ChangePod("p", func(p *corev1.Pod) { p.Status.ResourceClaimStatuses = nil }).PodClaim("p", "gpu", "d").ChangeClaim("d", asking), nothing},
		{"where the device is", own().AllocateOn("node-0", "c", "x/d").Reserve("c", "pod:p").Bind("p", "node-0"), pass},
		{"where it is not", own().AllocateOn("node-1", "c", "x/d").Reserve("c", "pod:p").Bind("p", "node-0"), fail},
		{"by the driver", own().DriverBind("p", "node-0"), nothing},
		{"no claims", New().Nodes(1).Pod("p", "").Bind("p", "node-0"), nothing},
		{"claims are not recorded", New().Nodes(1).Pod("p", "", UsesClaim("gpu", "c")).Bind("p", "node-0"), nothing},
		{"an unordered record", own(UnknownStorage).Bind("p", "node-0").Reserve("c", "pod:p").Allocate("c", "x/d"), doubt},
		{"a gap in claims", own().BreakWatch("resourceclaims").Allocate("c", "x/d").Reserve("c", "pod:p").Bind("p", "node-0"), doubt},
	})
}

func TestClaimKept(t *testing.T) {
	start := func(change ...func(*history.Header, *history.Scope)) *Builder {
		return New(change...).Nodes(1).Claim("c", asking).Pod("p", "", UsesClaim("gpu", "c")).Allocate("c", "x/d").Reserve("c", "pod:p").Bind("p", "node-0")
	}
	running := func() *Builder { return start() }
	grouped := func() *Builder {
		return New().Nodes(1).Gang("g", 2).Claim("c", asking).Pods("g", 2, UsesClaim("gpu", "c")).Allocate("c", "x/d").Reserve("c", "gang:g").
			Bind("g-0", "node-0").Bind("g-1", "node-0")
	}
	swap := func(b *Builder, consumers ...string) *Builder {
		return b.ChangeClaim("c", func(c *resourceapi.ResourceClaim) { c.Status.ReservedFor = nil }).Reserve("c", consumers...)
	}
	try(t, claimKept, []told{
		{"nothing is taken", running().Wait(time.Minute), nothing},
		{"devices while it runs", running().Deallocate("c"), fail},
		{"both while it runs", running().Unreserve("c").Deallocate("c"), fail},
		{"after it finished", running().Finish(corev1.PodSucceeded, "p").Unreserve("c").Deallocate("c").ClaimGone("c"), pass},
		{"after it went", running().Gone("p").Unreserve("c").Deallocate("c"), pass},
		{"while it is going", running().Deleting("p").Unreserve("c").Deallocate("c"), pass},
		{"before anybody was bound", New().Nodes(1).Claim("c", asking).Pod("p", "", UsesClaim("gpu", "c")).Allocate("c", "x/d").Deallocate("c").
			Allocate("c", "x/e").Reserve("c", "pod:p").Bind("p", "node-0"), pass},
		{"devices, by hand allocated and bound", New().Nodes(1).Claim("c", asking).Pod("p", "", UsesClaim("gpu", "c"), For("hand")).DriverAllocate("c", "x/d").Reserve("c", "pod:p").
			DriverBind("p", "node-0").Wait(time.Minute).Deallocate("c"), fail},

		{"the reservation while it runs", running().Unreserve("c"), fail},
		{"the reservation of another", running().Pod("q", "", UsesClaim("gpu", "c")).Reserve("c", "pod:q").ChangeClaim("c", func(c *resourceapi.ResourceClaim) {
			c.Status.ReservedFor = c.Status.ReservedFor[:1]
		}), pass},
		{"the reservation, by the driver", running().DriverChangesClaim("c", func(c *resourceapi.ResourceClaim) { c.Status.ReservedFor = nil }), nothing},
		{"the group's while a member runs", grouped().Unreserve("c"), fail},
		{"the group's after its members ended", grouped().Finish(corev1.PodFailed, "g-0", "g-1").Unreserve("c"), pass},
		{"the group's once it is gone", grouped().GangGone("g").Unreserve("c"), pass},
		{"the group's while it is going", grouped().GangDeleting("g").Unreserve("c"), fail},
		{"one more consumer", swap(running().Gone("p").Pod("q", "", UsesClaim("gpu", "c")), "pod:q"), pass},

		{"the claim while it runs", running().ClaimGone("c"), fail},
		{"the claim while it is being deleted", running().ClaimDeleting("c").Wait(time.Minute), nothing},
		{"the claim while a member runs", grouped().ClaimGone("c"), fail},
		{"the claim after it went", running().Gone("p").Unreserve("c").Deallocate("c").ClaimGone("c"), pass},
		{"the claim, of one who may not use it", running().Gone("p").Pod("q", "", UsesClaim("gpu", "c")).Bind("q", "node-0").ClaimGone("c"), pass},
		{"a claim that holds nothing", New().Nodes(1).Claim("c").Pod("p", "", UsesClaim("gpu", "c")).Reserve("c", "pod:p").Bind("p", "node-0").ClaimGone("c"), nothing},

		{"an unordered record, a moment after the bind", start(UnknownStorage).Unreserve("c"), doubt},
		{"an unordered record, long after it", start(UnknownStorage).Wait(time.Minute).Unreserve("c").Wait(time.Minute), fail},
		{"a gap in claims", running().BreakWatch("resourceclaims").Unreserve("c"), doubt},
	})
}

// A bind is judged by the state at its place: of the three things that have to come before it, in any order, any one that
// comes after it is a violation, and nothing else is.
func TestClaimLifecycleInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := New().Nodes(1).Gang("g", 1).Claim("c", asking).Pod("p", "g", UsesClaim("gpu", "c"))
		steps := map[string]func(){
			"allocate": func() { b.Allocate("c", "x/d") },
			"reserve":  func() { b.Reserve("c", rapid.SampledFrom([]string{"gang:g", "pod:p"}).Draw(t, "for")) },
			"bind":     func() { b.Bind("p", "node-0") },
		}
		order := rapid.Permutation([]string{"allocate", "bind", "reserve"}).Draw(t, "order")
		for _, s := range order {
			steps[s]()
		}
		failed := false
		for _, f := range claimLifecycle.Func(b.View()) {
			failed = failed || f.Verdict == suites.Fail
		}
		if want := order[2] != "bind"; failed != want {
			t.Fatalf("in the order %v the check fails: %t, want %t", order, failed, want)
		}
	})
}
