package history_test

import (
	"slices"
	"testing"

	"muster/suites/history"
	. "muster/suites/history/historytest"
)

func TestClaimsAreFollowed(t *testing.T) {
	b := New().Nodes(1).Gang("g", 1).Pod("p", "g", UsesTemplate("gpu", "t")).GangClaim("g", "gpu", "g-gpu-x").PodHasClaim("p", "gpu", "g-gpu-x").
		Mark("made").Allocate("g-gpu-x", "node-0/a", "node-0/b").Reserve("g-gpu-x", "gang:g").Mark("allocated").
		Bind("p", "node-0").Gone("p").Unreserve("g-gpu-x").Mark("free").Deallocate("g-gpu-x").GangHasClaim("g", "gpu", "").
		ClaimDeleting("g-gpu-x").Mark("going").ClaimGone("g-gpu-x").Claim("g-gpu-x").Mark("again")
	v := b.View()
	if len(v.Gaps) != 0 {
		t.Fatalf("gaps: %+v", v.Gaps)
	}
	mark := func(name string) history.Stamp { s, _ := v.Mark(name); return s }
	g, all := v.Gang("g"), v.ClaimsNamed("g-gpu-x")
	if len(all) != 2 || v.Claim("g-gpu-x") != all[1] || all[1].Owner != "" || all[0].Owner != g.UID {
		t.Fatalf("claims %+v", all)
	}
	c := all[0]
	if got := v.ClaimsOf(g.UID); len(got) != 1 || got[0] != c || len(v.ClaimsOf("")) != 0 {
		t.Errorf("claims of the gang: %v", got)
	}
	if n := len(c.AllocationAt(mark("made")).Devices()); n != 0 {
		t.Errorf("%d devices when made", n)
	}
	if d := c.AllocationAt(mark("allocated")).Devices(); len(d) != 2 || d[1].Pool != "node-0" || d[1].Device != "b" || d[1].Driver != Driver {
		t.Errorf("allocated %+v", d)
	}
	if !c.ReservedFor(mark("allocated"), history.ConsumerGroups, g.UID) || c.ReservedFor(mark("allocated"), history.ConsumerPods, g.UID) {
		t.Errorf("reserved for %+v", c.ReservedAt(mark("allocated")))
	}
	if len(c.ReservedAt(mark("free"))) != 0 || len(c.AllocationAt(mark("free")).Devices()) != 2 || len(c.Allocated) != 2 || c.Allocated[1].Value.Result != nil {
		t.Errorf("at free: %+v, allocations %+v", c.ReservedAt(mark("free")), c.Allocated)
	}
	if !c.AliveAt(mark("free")) || c.AliveAt(mark("going")) || c.Gone.IsZero() || c.Deleting.Before(mark("free")) {
		t.Errorf("deleting %v, gone %v", c.Deleting, c.Gone)
	}
	if g.GeneratedAt(mark("allocated"), "gpu") != "g-gpu-x" || g.GeneratedAt(mark("going"), "gpu") != "" {
		t.Errorf("generated %+v", g.Generated)
	}
	if p := v.Pod("p"); p.GeneratedFor("gpu") != "g-gpu-x" || p.GeneratedFor("other") != "" || !slices.Equal(p.ClaimNames(), []string{"g-gpu-x"}) {
		t.Errorf("claims of the pod: %v", p.ClaimNames())
	}
}

// A claim that goes while it holds devices holds them no more.
func TestGoneClaimsHoldNothing(t *testing.T) {
	v := New().Claim("c").Allocate("c", "p/d").Gang("g", 1).Reserve("c", "gang:g").ClaimGone("c").View()
	c := v.Claim("c")
	if len(c.AllocationAt(v.Now()).Devices()) != 0 || len(c.ReservedAt(v.Now())) != 0 {
		t.Errorf("%+v", c)
	}
}

func TestAllocationsOfTheDriver(t *testing.T) {
	v := New().Claim("mine").Claim("theirs").DriverAllocate("mine", "p/a").Allocate("theirs", "p/b").View()
	for name, want := range map[string]bool{"mine": true, "theirs": false} {
		if got := v.ClaimByDriver(v.Claim(name).Allocated[0].Value.RV); got != want {
			t.Errorf("%s: by the driver %t", name, got)
		}
	}
	if v.ClaimByDriver("") {
		t.Error("nothing is the driver's")
	}
}
