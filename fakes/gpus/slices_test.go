package gpus

import (
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"muster/fakes/nodes"
)

// wanted draws devices that a model can have.
func wanted(t *rapid.T) nodes.Pool {
	all, err := Models()
	if err != nil {
		t.Fatal(err)
	}
	m := rapid.SampledFrom(all).Draw(t, "model")
	d := nodes.Devices{
		Model: m.Name, Count: rapid.IntRange(0, m.Count).Draw(t, "count"), Partitions: rapid.Bool().Draw(t, "partitions"),
		Reach: rapid.SampledFrom([]nodes.Reach{nodes.ReachNode, nodes.ReachPool, nodes.ReachCluster}).Draw(t, "reach"),
		Scope: rapid.SampledFrom([]string{"", "s", strings.Repeat("long-", 12) + "x"}).Draw(t, "scope"),
	}
	if m.Publications[0].Sharing != nil {
		d.Shares = rapid.IntRange(0, 20).Draw(t, "shares")
	}
	if d.Reach != nodes.ReachNode {
		d.Count *= 5
	}
	if rapid.Bool().Draw(t, "tainted") {
		d.Taints = []nodes.DeviceTaint{{Key: "example.com/broken", Effect: "NoSchedule", Devices: []int{0}}}
	}
	return m.Decorate(nodes.Pool{Name: "p", Count: 40, Devices: d})
}

func all(t interface{ Fatal(...any) }, p nodes.Pool, index int) []*resourcev1.ResourceSlice {
	own, err := NodeSlices(p, index, nil)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := SharedSlices(p)
	if err != nil {
		t.Fatal(err)
	}
	return append(own, shared...)
}

// TestSlicesAreWhatTheAPIAllows: within its limits, complete, and every name once.
func TestSlicesAreWhatTheAPIAllows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := wanted(t)
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		names, pools := map[string]bool{}, map[string]int64{}
		devices, sets := map[string]bool{}, map[string]map[string]resourcev1.Counter{}
		for _, s := range all(t, p, 7) {
			if names[s.Name] {
				t.Fatalf("two slices are named %s", s.Name)
			}
			names[s.Name] = true
			if len(s.Spec.Driver) > resourcev1.DriverNameMaxLength || (len(s.Spec.Devices) > 0) == (len(s.Spec.SharedCounters) > 0) {
				t.Fatalf("slice %s of driver %s has %d devices and %d sets of counters", s.Name, s.Spec.Driver, len(s.Spec.Devices), len(s.Spec.SharedCounters))
			}
			places := 0
			for _, set := range []bool{s.Spec.NodeName != nil, s.Spec.NodeSelector != nil, s.Spec.AllNodes != nil} {
				if set {
					places++
				}
			}
			if places != 1 {
				t.Fatalf("slice %s is in %d places", s.Name, places)
			}
			pools[s.Spec.Driver] = s.Spec.Pool.ResourceSliceCount
			for _, set := range s.Spec.SharedCounters {
				if sets[set.Name] != nil || len(set.Counters) > resourcev1.ResourceSliceMaxCountersPerCounterSet {
					t.Fatalf("counter set %s is there twice, or has %d counters", set.Name, len(set.Counters))
				}
				sets[set.Name] = set.Counters
			}
		}
		count := map[string]int64{}
		for _, s := range all(t, p, 7) {
			count[s.Spec.Driver]++
			for _, d := range s.Spec.Devices {
				key := s.Spec.Driver + "/" + d.Name
				if devices[key] {
					t.Fatalf("device %s is there twice", key)
				}
				devices[key] = true
				if n := len(d.Attributes) + len(d.Capacity); n > resourcev1.ResourceSliceMaxAttributesAndCapacitiesPerDevice {
					t.Fatalf("device %s has %d attributes and capacities", d.Name, n)
				}
				for name, a := range d.Attributes {
					if a.StringValue != nil && (len(*a.StringValue) > resourcev1.DeviceAttributeMaxValueLength || strings.Contains(*a.StringValue, "$")) {
						t.Fatalf("device %s: attribute %s is %q", d.Name, name, *a.StringValue)
					}
				}
				for _, c := range d.ConsumesCounters {
					for name, need := range c.Counters {
						if has, ok := sets[c.CounterSet][name]; !ok || has.Value.Cmp(need.Value) < 0 {
							t.Fatalf("device %s takes %s of counter %s/%s, which has %v", d.Name, need.Value.String(), c.CounterSet, name, has)
						}
					}
				}
				if len(s.Spec.Devices) > resourcev1.ResourceSliceMaxDevicesWithAdvancedFeatures && (len(d.Taints) > 0 || len(d.ConsumesCounters) > 0) {
					t.Fatalf("slice %s has %d devices, some with taints or counters", s.Name, len(s.Spec.Devices))
				}
			}
		}
		for driver, n := range pools {
			if count[driver] != n {
				t.Fatalf("driver %s: %d slices, which say there are %d", driver, count[driver], n)
			}
		}
	})
}

// TestTenAttributes: what a GPU or a piece of one tells about itself is as much as what the real drivers tell.
func TestTenAttributes(t *testing.T) {
	list, err := Models()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		for _, partitions := range []bool{false, true} {
			p := m.Decorate(nodes.Pool{Name: "p", Count: 1, Devices: nodes.Devices{Model: m.Name, Partitions: partitions}})
			gpus := 0
			for _, s := range all(t, p, 0) {
				if !strings.HasPrefix(s.Spec.Driver, "gpu.") {
					continue
				}
				for _, d := range s.Spec.Devices {
					gpus++
					if len(d.Attributes) < 10 {
						t.Errorf("model %s, device %s: %d attributes; want ten", m.Name, d.Name, len(d.Attributes))
					}
				}
			}
			if gpus < m.Count {
				t.Errorf("model %s: %d devices on a node; want %d or more", m.Name, gpus, m.Count)
			}
		}
	}
}

func TestSlicesBelongToTheirNode(t *testing.T) {
	p := nodes.Pool{Name: "p", Count: 2, Devices: nodes.Devices{Model: "h100"}}
	owner := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "p-1", UID: "u"}}
	got, err := NodeSlices(p, 1, owner)
	if err != nil || len(got) != 1 {
		t.Fatalf("%d slices, %v; want one", len(got), err)
	}
	s := got[0]
	if *s.Spec.NodeName != "p-1" || s.Spec.Pool.Name != "p-1" || s.Name != "p-1-gpu.nvidia.com" || len(s.OwnerReferences) != 1 || s.OwnerReferences[0].UID != "u" {
		t.Errorf("slice %+v", s.ObjectMeta)
	}
	if got, err := SharedSlices(p); err != nil || got != nil {
		t.Errorf("shared slices of a pool whose nodes have their own: %v, %v", got, err)
	}
}

// TestScopesAreApart: nothing of one scope has a name of another, but attributes keep the names that claims know.
func TestScopesAreApart(t *testing.T) {
	seen := map[string]string{}
	for _, scope := range []string{"", "one", "two", strings.Repeat("a", 60), strings.Repeat("a", 61)} {
		p := nodes.Pool{Name: "p", Count: 1, Devices: nodes.Devices{Model: "h100", Scope: scope}}
		classes, err := Classes(p)
		if err != nil || len(classes) != 2 {
			t.Fatalf("%d classes, %v", len(classes), err)
		}
		names := []string{"driver " + all(t, p, 0)[0].Spec.Driver, "resource " + *classes[0].Spec.ExtendedResourceName, "class " + classes[0].Name, "class " + classes[1].Name}
		for _, n := range names {
			if other, taken := seen[n]; taken {
				t.Errorf("%s is of scope %q and of scope %q", n, other, scope)
			}
			seen[n] = scope
		}
		want := resourcev1.QualifiedName("productName")
		if scope != "" {
			want = "gpu.nvidia.com/productName"
		}
		if _, ok := all(t, p, 0)[0].Spec.Devices[0].Attributes[want]; !ok {
			t.Errorf("scope %q: no attribute %s", scope, want)
		}
	}
}

func TestMoreDevicesThanPlacesAreRefused(t *testing.T) {
	_, err := NodeSlices(nodes.Pool{Name: "p", Count: 1, Devices: nodes.Devices{Model: "gb200", Count: 5}}, 0, nil)
	for _, part := range []string{"pool p", "gb200", "numaNode", "4 devices", "5"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v lacks %q", err, part)
		}
	}
	if _, err := SharedSlices(nodes.Pool{Name: "p", Devices: nodes.Devices{Model: "mi300x", Shares: 2, Reach: nodes.ReachPool}}); err == nil || !strings.Contains(err.Error(), "no shares") {
		t.Errorf("shares of a driver that has none: %v", err)
	}
}

// TestRacksAreDomains: the trays of a rack are in one clique, as nodes and as devices, and no other.
func TestRacksAreDomains(t *testing.T) {
	m, err := Named("gb200")
	if err != nil {
		t.Fatal(err)
	}
	p := m.Decorate(nodes.Pool{Name: "p", Count: 40, Devices: nodes.Devices{Model: "gb200"}})
	clique := func(i int) string {
		n, s := nodes.Object(p, i), all(t, p, i)[0]
		label, attribute := n.Labels["nvidia.com/gpu.clique"], *s.Spec.Devices[0].Attributes["muster.dev/nvlinkClique"].StringValue
		if label != attribute {
			t.Errorf("node %d is in clique %s, its devices in %s", i, label, attribute)
		}
		return label
	}
	if clique(0) != clique(17) || clique(17) == clique(18) || clique(18) != clique(35) {
		t.Errorf("cliques %s %s %s %s", clique(0), clique(17), clique(18), clique(35))
	}
	if !reflect.DeepEqual(all(t, p, 3), all(t, p, 3)) {
		t.Error("the same node has other slices the second time")
	}
}
