package devices

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"pgregory.net/rapid"
)

const driver = "gpu.example.com"

func node1(name string) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"rack": "r0"}}}
}

// slice is a pool of its own, named like the slice; node is empty for devices that every node may use.
func slice(name, node string, devices ...resourceapi.Device) *resourceapi.ResourceSlice {
	s := &resourceapi.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: resourceapi.ResourceSliceSpec{
		Driver: driver, Pool: resourceapi.ResourcePool{Name: name, Generation: 1, ResourceSliceCount: 1}, Devices: devices}}
	if node != "" {
		s.Spec.NodeName = &node
	} else {
		s.Spec.AllNodes = ptr.To(true)
	}
	return s
}

func device(name, model string) resourceapi.Device {
	return resourceapi.Device{Name: name, Attributes: map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{
		"model": {StringValue: &model}, "uuid": {StringValue: ptr.To("uuid-" + name)}}}
}

func gpus(n int, model string) []resourceapi.Device {
	var out []resourceapi.Device
	for i := range n {
		out = append(out, device(fmt.Sprint(model, "-", i), model))
	}
	return out
}

func class(name, expression string) *resourceapi.DeviceClass {
	c := &resourceapi.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if expression != "" {
		c.Spec.Selectors = []resourceapi.DeviceSelector{{CEL: &resourceapi.CELDeviceSelector{Expression: expression}}}
	}
	return c
}

func modelIs(m string) string { return fmt.Sprintf(`device.attributes[%q].model == %q`, driver, m) }

func request(name, class string, n int64, expressions ...string) resourceapi.DeviceRequest {
	x := &resourceapi.ExactDeviceRequest{DeviceClassName: class, AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: n}
	for _, e := range expressions {
		x.Selectors = append(x.Selectors, resourceapi.DeviceSelector{CEL: &resourceapi.CELDeviceSelector{Expression: e}})
	}
	return resourceapi.DeviceRequest{Name: name, Exactly: x}
}

func claim(name string, requests ...resourceapi.DeviceRequest) *resourceapi.ResourceClaim {
	c := &resourceapi.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: name, UID: types.UID("uid-" + name)}}
	c.Spec.Devices.Requests = requests
	return c
}

func (inv *Inventory) demandOf(claims ...*resourceapi.ResourceClaim) *Demand {
	var specs []*resourceapi.ResourceClaimSpec
	for _, c := range claims {
		specs = append(specs, &c.Spec)
	}
	return inv.DemandOf(specs...)
}

// partitioned is a device of so many units of memory, offered whole and in halves and quarters.
func partitioned(name, node string) []*resourceapi.ResourceSlice {
	counters := slice(name+"-counters", node)
	counters.Spec.Pool = resourceapi.ResourcePool{Name: name, Generation: 1, ResourceSliceCount: 2}
	counters.Spec.SharedCounters = []resourceapi.CounterSet{{Name: "card", Counters: map[string]resourceapi.Counter{"memory": {Value: resource.MustParse("40")}}}}
	part := func(kind string, i int, units string) resourceapi.Device {
		d := device(fmt.Sprint(kind, "-", i), kind)
		d.ConsumesCounters = []resourceapi.DeviceCounterConsumption{{CounterSet: "card", Counters: map[string]resourceapi.Counter{"memory": {Value: resource.MustParse(units)}}}}
		return d
	}
	parts := slice(name+"-parts", node, part("whole", 0, "40"))
	parts.Spec.Pool = counters.Spec.Pool
	for i := range 2 {
		parts.Spec.Devices = append(parts.Spec.Devices, part("half", i, "20"))
	}
	for i := range 4 {
		parts.Spec.Devices = append(parts.Spec.Devices, part("quarter", i, "10"))
	}
	return []*resourceapi.ResourceSlice{counters, parts}
}

// world is the truth an inventory is told of.
type world struct {
	inv     *Inventory
	slices  map[string]*resourceapi.ResourceSlice
	classes map[string]*resourceapi.DeviceClass
	held    map[string]*resourceapi.AllocationResult
	next    int
}

func newWorld() *world {
	return &world{inv: New(), slices: map[string]*resourceapi.ResourceSlice{}, classes: map[string]*resourceapi.DeviceClass{},
		held: map[string]*resourceapi.AllocationResult{}}
}

func (w *world) addSlice(s *resourceapi.ResourceSlice) {
	w.slices[s.Name] = s
	w.inv.UpsertSlice(s)
}

func (w *world) addClass(c *resourceapi.DeviceClass) {
	w.classes[c.Name] = c
	w.inv.UpsertClass(c)
}

func (w *world) hold(claim string, a *resourceapi.AllocationResult) {
	w.held[claim] = a
	w.inv.Hold(claim, a)
}

// rebuilt is an inventory that is told the present state, in another order.
func (w *world) rebuilt() *Inventory {
	inv := New()
	for _, k := range slices.Backward(slices.Sorted(maps.Keys(w.held))) {
		inv.Hold(k, w.held[k])
	}
	for _, k := range slices.Backward(slices.Sorted(maps.Keys(w.slices))) {
		inv.UpsertSlice(w.slices[k])
	}
	for _, k := range slices.Backward(slices.Sorted(maps.Keys(w.classes))) {
		inv.UpsertClass(w.classes[k])
	}
	return inv
}

var nodeNames = []string{"n0", "n1", "n2"}

// drawSlice makes a slice that replaces any of its name.
func drawSlice(t *rapid.T, plain bool) []*resourceapi.ResourceSlice {
	n := rapid.SampledFrom(nodeNames).Draw(t, "node")
	kind := "plain"
	if !plain {
		kind = rapid.SampledFrom([]string{"plain", "plain", "partitions", "network", "capacity"}).Draw(t, "kind")
	}
	name := n + "-" + rapid.SampledFrom([]string{"x", "y"}).Draw(t, "pool")
	switch kind {
	case "partitions":
		return partitioned(name+"-parts", n)
	case "network":
		return []*resourceapi.ResourceSlice{slice("network", "", gpus(2, "net")...)}
	case "capacity":
		d := device("shared", "cap")
		d.AllowMultipleAllocations = ptr.To(true)
		d.Capacity = map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{"memory": {Value: resource.MustParse("10")}}
		return []*resourceapi.ResourceSlice{slice(name+"-cap", n, d)}
	}
	var list []resourceapi.Device
	for i := range rapid.IntRange(0, 4).Draw(t, "devices") {
		d := device(fmt.Sprint("d", i), rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "model"))
		if rapid.IntRange(0, 4).Draw(t, "taint") == 0 {
			d.Taints = []resourceapi.DeviceTaint{{Key: "sick", Value: "yes", Effect: resourceapi.DeviceTaintEffectNoSchedule}}
		}
		list = append(list, d)
	}
	s := slice(name, n, list...)
	if rapid.IntRange(0, 9).Draw(t, "torn") == 0 {
		s.Spec.Pool.ResourceSliceCount = 2
	}
	return []*resourceapi.ResourceSlice{s}
}

// drawClaim makes a claim; plain ones ask for exact numbers only.
func drawClaim(t *rapid.T, name string, plain bool) *resourceapi.ResourceClaim {
	c := claim(name)
	for i := range rapid.IntRange(1, 2).Draw(t, "requests") {
		cl := rapid.SampledFrom([]string{"any", "model-a", "not-c"}).Draw(t, "class")
		r := request(fmt.Sprint("r", i), cl, int64(rapid.IntRange(1, 2).Draw(t, "count")))
		if rapid.IntRange(0, 3).Draw(t, "selector") == 0 {
			r = request(r.Name, cl, r.Exactly.Count, modelIs(rapid.SampledFrom([]string{"a", "b", "half", "net"}).Draw(t, "model")))
		}
		if rapid.IntRange(0, 2).Draw(t, "tolerates") == 0 {
			r.Exactly.Tolerations = []resourceapi.DeviceToleration{{Key: "sick", Operator: resourceapi.DeviceTolerationOpExists}}
		}
		if !plain && rapid.IntRange(0, 5).Draw(t, "list") == 0 {
			sub := func(n, cl string) resourceapi.DeviceSubRequest {
				return resourceapi.DeviceSubRequest{Name: n, DeviceClassName: cl, AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: 1}
			}
			r = resourceapi.DeviceRequest{Name: r.Name, FirstAvailable: []resourceapi.DeviceSubRequest{sub("s0", "model-a"), sub("s1", "any")}}
		}
		c.Spec.Devices.Requests = append(c.Spec.Devices.Requests, r)
	}
	if !plain && rapid.IntRange(0, 3).Draw(t, "alike") == 0 {
		c.Spec.Devices.Constraints = []resourceapi.DeviceConstraint{{MatchAttribute: ptr.To(resourceapi.FullyQualifiedName(driver + "/model"))}}
	}
	return c
}

func (w *world) addClasses() {
	w.addClass(class("any", ""))
	w.addClass(class("model-a", modelIs("a")))
	w.addClass(class("not-c", fmt.Sprintf(`device.driver == %q && device.attributes[%q].model != "c"`, driver, driver)))
}

func failf(t *testing.T, ok bool, format string, args ...any) {
	t.Helper()
	if !ok {
		t.Fatalf(format, args...)
	}
}
