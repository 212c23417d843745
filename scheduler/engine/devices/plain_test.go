package devices

import (
	"encoding/json"
	"fmt"
	"testing"

	resourceapi "k8s.io/api/resource/v1"
	"pgregory.net/rapid"
)

// times is a claim list that asks for a pod's claims so many times.
func times(n int, claims []*resourceapi.ResourceClaim) []*resourceapi.ResourceClaim {
	var out []*resourceapi.ResourceClaim
	for i := range n {
		for _, c := range claims {
			x := c.DeepCopy()
			x.Name = fmt.Sprint(c.Name, "-", i)
			out = append(out, x)
		}
	}
	return out
}

// TestPlainIsWhatTheAllocatorSays: where a demand is plain, as many copies fit as the allocator of the library finds
// devices for, and no more; and what is handed out has the form the allocator gives it.
func TestPlainIsWhatTheAllocatorSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld()
		w.addClasses()
		for range rapid.IntRange(1, 4).Draw(t, "slices") {
			for _, s := range drawSlice(t, true) {
				w.addSlice(s)
			}
		}
		for i := range rapid.IntRange(0, 3).Draw(t, "held") {
			c := drawClaim(t, fmt.Sprint("old", i), true)
			n := node1(rapid.SampledFrom(nodeNames).Draw(t, "at"))
			if r, ok := w.inv.allocate(n, []*resourceapi.ResourceClaim{c}); ok {
				w.hold(c.Name, &r[0])
			}
		}
		claims := []*resourceapi.ResourceClaim{drawClaim(t, "c0", true)}
		if rapid.Bool().Draw(t, "two") {
			claims = append(claims, drawClaim(t, "c1", true))
		}
		d := w.inv.demandOf(claims...)
		if !w.inv.Plain(d) {
			t.Fatalf("%+v is not plain", d)
		}
		for _, name := range nodeNames {
			n := node1(name)
			got := int(w.inv.Copies(n, d, 10))
			for c := 1; c <= got+1; c++ {
				if _, ok := w.inv.allocate(n, times(c, claims)); ok != (c <= got) {
					t.Fatalf("node %s: %d copies by bits, and the allocator says %v to %d", name, got, ok, c)
				}
			}
			if got == 0 {
				continue
			}
			tenant := w.inv.Add(n, d, claims, false)
			mine := w.inv.Results(tenant)
			want, _ := w.inv.allocateAgain(tenant)
			for i := range mine {
				if formOf(&mine[i]) != formOf(&want[i]) {
					t.Fatalf("an allocation reads\n%s\nthe allocator writes\n%s", formOf(&mine[i]), formOf(&want[i]))
				}
			}
			w.inv.Undo()
			checkClean(t, w.inv)
		}
	})
}

// allocateAgain asks the allocator as if a tenant had nothing yet.
func (inv *Inventory) allocateAgain(t *Tenant) ([]resourceapi.AllocationResult, bool) {
	kept := t.results
	inv.settle(t, nil)
	r, ok := inv.allocate(t.node, t.claims)
	inv.settle(t, kept)
	return r, ok
}

// formOf is an allocation but for the devices that were chosen.
func formOf(a *resourceapi.AllocationResult) string {
	x := a.DeepCopy()
	for i := range x.Devices.Results {
		x.Devices.Results[i].Pool, x.Devices.Results[i].Device = "", ""
	}
	b, err := json.Marshal(x)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// checkClean: nothing of a trial is left, and no device is held twice.
func checkClean(t *rapid.T, inv *Inventory) {
	if len(inv.sites) > 0 || len(inv.trail) > 0 {
		t.Fatalf("%d sites and a trail of %d are left of a trial", len(inv.sites), len(inv.trail))
	}
	want := map[poolKey]map[string]int32{}
	for _, a := range inv.holdings {
		for _, r := range a.Devices.Results {
			if r.ShareID == nil && (r.AdminAccess == nil || !*r.AdminAccess) {
				k := poolKey{r.Driver, r.Pool}
				if want[k] == nil {
					want[k] = map[string]int32{}
				}
				want[k][r.Device]++
			}
		}
	}
	for k, p := range inv.pools {
		if len(p.held) != len(want[k]) {
			t.Fatalf("pool %v: held are %v, should be %v", k, p.held, want[k])
		}
		for d, n := range p.held {
			if n != want[k][d] || n > 1 {
				t.Fatalf("pool %v: device %s is held %d times, should be %d and no more than once", k, d, n, want[k][d])
			}
		}
	}
}

func TestConfigurationAsTheAllocatorWritesIt(t *testing.T) {
	w := newWorld()
	opaque := func(p string) resourceapi.DeviceConfiguration {
		return resourceapi.DeviceConfiguration{Opaque: &resourceapi.OpaqueDeviceConfiguration{Driver: p}}
	}
	a, b := class("a", ""), class("b", "")
	a.Spec.Config = []resourceapi.DeviceClassConfiguration{{DeviceConfiguration: opaque("a1")}, {DeviceConfiguration: opaque("a2")}}
	b.Spec.Config = []resourceapi.DeviceClassConfiguration{{DeviceConfiguration: opaque("b1")}}
	w.addClass(a)
	w.addClass(b)
	w.addSlice(slice("n0", "n0", gpus(8, "a")...))
	for name, requests := range map[string][]resourceapi.DeviceRequest{
		"one class":   {request("x", "a", 1), request("y", "a", 2)},
		"two classes": {request("x", "a", 1), request("y", "b", 1), request("z", "a", 1)},
	} {
		c := claim("c", requests...)
		c.Spec.Devices.Config = []resourceapi.DeviceClaimConfiguration{{DeviceConfiguration: opaque("all")},
			{Requests: []string{"y"}, DeviceConfiguration: opaque("y")}, {Requests: []string{"x", "y"}, DeviceConfiguration: opaque("xy")},
			{Requests: []string{"nobody"}, DeviceConfiguration: opaque("none")}}
		list := []*resourceapi.ResourceClaim{c}
		want, ok := w.inv.allocate(node1("n0"), list)
		failf(t, ok, "%s: the allocator finds nothing", name)
		tenant := w.inv.Add(node1("n0"), w.inv.demandOf(c), list, false)
		if got := w.inv.Results(tenant); formOf(&got[0]) != formOf(&want[0]) {
			t.Errorf("%s:\n%s\nthe allocator writes\n%s", name, formOf(&got[0]), formOf(&want[0]))
		}
		w.inv.Undo()
	}
}

func TestReadings(t *testing.T) {
	for expression, want := range map[string]string{
		modelIs("a"): "model",
		`device.driver == "x" && device.capacity["x"].memory.compareTo(quantity("1Gi")) > 0`: "memory",
		`device.attributes["x"].exists(k, k == "uuid")`:                                      "all",
		`device.attributes["x"]["uuid"] == "u"`:                                              "all",
		`"x" in device.attributes && device.attributes["x"].model == "a"`:                    "all",
		`cel.bind(d, device, d.attributes["x"].uuid == "u")`:                                 "all",
		`true`: "",
	} {
		r := readingOf([]string{expression})
		got := ""
		for _, l := range r.looks {
			got += string(l.name)
		}
		if r.all {
			got = "all"
		}
		if got != want {
			t.Errorf("%s reads %q, want %q", expression, got, want)
		}
	}
}
