package devices

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"
)

// TestKeptIsWhatFollows: after any history the inventory answers as one that is told the present state, nothing is held
// twice at any moment, and trials leave nothing behind.
func TestKeptIsWhatFollows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld()
		w.addClasses()
		t.Repeat(map[string]func(*rapid.T){
			"slice": func(t *rapid.T) {
				for _, s := range drawSlice(t, false) {
					w.addSlice(s)
				}
			},
			"no slice": func(t *rapid.T) {
				if len(w.slices) == 0 {
					t.Skip()
				}
				name := rapid.SampledFrom(slices.Sorted(maps.Keys(w.slices))).Draw(t, "slice")
				delete(w.slices, name)
				w.inv.DeleteSlice(name)
			},
			"class": func(t *rapid.T) {
				w.addClass(class("model-a", modelIs(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "model"))))
			},
			"hold": func(t *rapid.T) {
				w.next++
				c := drawClaim(t, fmt.Sprint("c", w.next), false)
				list := []*resourceapi.ResourceClaim{c}
				tenant := w.inv.Add(node1(rapid.SampledFrom(nodeNames).Draw(t, "node")), w.inv.demandOf(c), list, false)
				if tenant == nil {
					t.Skip()
				}
				r := w.inv.Results(tenant)[0]
				w.inv.Undo()
				w.hold(c.Name, &r)
			},
			"drop": func(t *rapid.T) {
				if len(w.held) == 0 {
					t.Skip()
				}
				name := rapid.SampledFrom(slices.Sorted(maps.Keys(w.held))).Draw(t, "claim")
				delete(w.held, name)
				w.inv.Drop(name)
			},
			"": func(t *rapid.T) {
				checkClean(t, w.inv)
				fresh := w.rebuilt()
				c := drawClaim(t, "asked", false)
				d, e := w.inv.demandOf(c), fresh.demandOf(c)
				if w.inv.Plain(d) != fresh.Plain(e) || w.inv.Shared(d) != fresh.Shared(e) {
					t.Fatalf("plain %v and shared %v; told anew %v and %v", w.inv.Plain(d), w.inv.Shared(d), fresh.Plain(e), fresh.Shared(e))
				}
				for _, name := range nodeNames {
					n := node1(name)
					if a, b := w.inv.Copies(n, d, 9), fresh.Copies(n, e, 9); a != b {
						t.Fatalf("node %s: %d copies, told anew %d", name, a, b)
					}
					if a, b := w.inv.Fits(n, d), fresh.Fits(n, e); a != b {
						t.Fatalf("node %s: fits %v, told anew %v", name, a, b)
					}
				}
				checkClean(t, w.inv)
			},
		})
	})
}

// TestTrialsTakeTheirPlace: whatever is tried on nodes and taken back in part, what stays can be held side by side.
func TestTrialsTakeTheirPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld()
		w.addClasses()
		for range rapid.IntRange(1, 6).Draw(t, "slices") {
			for _, s := range drawSlice(t, false) {
				w.addSlice(s)
			}
		}
		var tried []*Tenant
		for i := range rapid.IntRange(1, 8).Draw(t, "steps") {
			if len(tried) > 0 && rapid.IntRange(0, 3).Draw(t, "back") == 0 {
				w.inv.Undo()
				tried = tried[:len(tried)-1]
				continue
			}
			c := drawClaim(t, fmt.Sprint("c", i), rapid.Bool().Draw(t, "plain"))
			n := node1(rapid.SampledFrom(nodeNames).Draw(t, "node"))
			d := w.inv.demandOf(c)
			room := w.inv.Fits(n, d)
			if !w.inv.Shared(d) && room != (w.inv.Copies(n, d, 1) > 0) {
				t.Fatalf("fits %v, and copies say otherwise", room)
			}
			tenant := w.inv.Add(n, d, []*resourceapi.ResourceClaim{c}, rapid.IntRange(0, 4).Draw(t, "fixed") == 0)
			if (tenant != nil) != room {
				t.Fatalf("fits %v, added %v", room, tenant != nil)
			}
			if tenant != nil {
				tried = append(tried, tenant)
			}
		}
		held := map[string]*resourceapi.AllocationResult{}
		for _, tn := range tried {
			for i, r := range w.inv.Results(tn) {
				held[tn.claims[i].Name] = &r
			}
			if len(w.inv.Results(tn)) != len(tn.claims) {
				t.Fatalf("%d results for %d claims", len(w.inv.Results(tn)), len(tn.claims))
			}
		}
		for range tried {
			w.inv.Undo()
		}
		checkClean(t, w.inv)
		for _, k := range slices.Sorted(maps.Keys(held)) {
			w.hold(k, held[k])
			checkClean(t, w.inv)
		}
		checkCounters(t, w)
	})
}

// checkCounters: no set of shared counters is used up beyond what it has, and no shared device beyond its capacity.
func checkCounters(t *rapid.T, w *world) {
	left := map[string]resource.Quantity{}
	for _, s := range w.slices {
		for _, set := range s.Spec.SharedCounters {
			left[s.Spec.Pool.Name] = set.Counters["memory"].Value.DeepCopy()
		}
	}
	for _, a := range w.held {
		for _, r := range a.Devices.Results {
			for _, s := range w.slices {
				for _, d := range s.Spec.Devices {
					if s.Spec.Pool.Name == r.Pool && d.Name == r.Device && len(d.ConsumesCounters) > 0 {
						q := left[r.Pool]
						q.Sub(d.ConsumesCounters[0].Counters["memory"].Value)
						left[r.Pool] = q
					}
				}
			}
		}
	}
	for pool, q := range left {
		if q.Sign() < 0 {
			t.Fatalf("the counters of pool %s are at %s", pool, q.String())
		}
	}
}

// TestPartitionsAreSharedOut: four pods of which one takes any partition of at least a quarter and the others need what
// is left of it. The allocator takes the first that will do, the whole device; asked about all at once it does not.
func TestPartitionsAreSharedOut(t *testing.T) {
	w := newWorld()
	w.addClass(class("any", ""))
	for _, s := range partitioned("card", "n0") {
		w.addSlice(s)
	}
	n := node1("n0")
	var tried []*Tenant
	add := func(name string, expressions ...string) {
		t.Helper()
		c := claim(name, request("r", "any", 1, expressions...))
		tenant := w.inv.Add(n, w.inv.demandOf(c), []*resourceapi.ResourceClaim{c}, false)
		failf(t, tenant != nil, "%s gets no partition", name)
		tried = append(tried, tenant)
	}
	add("easy")
	failf(t, w.inv.Results(tried[0])[0].Devices.Results[0].Device == "whole-0", "the easy one alone has %v", w.inv.Results(tried[0]))
	add("half", modelIs("half"))
	add("quarter", modelIs("quarter"))
	failf(t, w.inv.Results(tried[0])[0].Devices.Results[0].Device[:7] == "quarter", "the easy one has %v", w.inv.Results(tried[0]))
	c := claim("more", request("r", "any", 1))
	failf(t, w.inv.Add(n, w.inv.demandOf(c), []*resourceapi.ResourceClaim{c}, false) == nil, "a fourth one fits a card that is full")
	for range tried {
		w.inv.Undo()
	}
	failf(t, w.inv.Copies(n, w.inv.demandOf(claim("w", request("r", "any", 1, modelIs("whole")))), 3) > 0, "the card is not whole again")
}
