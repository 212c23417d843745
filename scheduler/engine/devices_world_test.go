package engine_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"muster/scheduler/engine"
)

const driver = "gpu.example.com"

// slice is a pool of its own, of that name; node is empty for devices that nodes of zone a reach.
func slice(name, node string, devices ...resourceapi.Device) *resourceapi.ResourceSlice {
	s := &resourceapi.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: resourceapi.ResourceSliceSpec{
		Driver: driver, Pool: resourceapi.ResourcePool{Name: name, Generation: 1, ResourceSliceCount: 1}, Devices: devices}}
	if node != "" {
		s.Spec.NodeName = &node
		return s
	}
	s.Spec.NodeSelector = &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{
		{Key: zone, Operator: corev1.NodeSelectorOpIn, Values: []string{"a"}}}}}}
	return s
}

func devs(n int, model string) []resourceapi.Device {
	var out []resourceapi.Device
	for i := range n {
		name := fmt.Sprint(model, "-", i)
		out = append(out, resourceapi.Device{Name: name, Attributes: map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{
			"model": {StringValue: &model}, "uuid": {StringValue: ptr.To("uuid-" + name)}}})
	}
	return out
}

func class(name, expression string) *resourceapi.DeviceClass {
	c := &resourceapi.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: name}}
	c.Spec.Selectors = []resourceapi.DeviceSelector{{CEL: &resourceapi.CELDeviceSelector{Expression: expression}}}
	return c
}

func modelIs(m string) string { return fmt.Sprintf(`device.attributes[%q].model == %q`, driver, m) }

func ask(class string, n int64) resourceapi.DeviceRequest {
	return resourceapi.DeviceRequest{Name: "r", Exactly: &resourceapi.ExactDeviceRequest{DeviceClassName: class,
		AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: n}}
}

// rclaim is a ResourceClaim; made for the pod of that name where owner is not empty.
func rclaim(name, owner string, requests ...resourceapi.DeviceRequest) *resourceapi.ResourceClaim {
	c := &resourceapi.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name, UID: types.UID("uid-" + name)}}
	c.Spec.Devices.Requests = requests
	if owner != "" {
		c.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: owner, UID: types.UID("uid-" + owner), Controller: ptr.To(true)}}
	}
	return c
}

// using makes a pod use claims by name.
func using(claims ...string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		for i, c := range claims {
			p.Spec.ResourceClaims = append(p.Spec.ResourceClaims, corev1.PodResourceClaim{Name: fmt.Sprint("c", i), ResourceClaimName: &c})
		}
	}
}

// fromTemplate makes a pod use a claim that was made from a template.
func fromTemplate(claim string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "c0", ResourceClaimTemplateName: ptr.To("template")}}
		p.Status.ResourceClaimStatuses = []corev1.PodResourceClaimStatus{{Name: "c0", ResourceClaimName: &claim}}
	}
}

// sharing makes a group share claims by name, for entries c0, c1 and so on.
func sharing(claims ...string) func(*schedulingv1beta1.PodGroup) {
	return func(g *schedulingv1beta1.PodGroup) {
		for i, c := range claims {
			g.Spec.ResourceClaims = append(g.Spec.ResourceClaims, schedulingv1beta1.PodGroupResourceClaim{Name: fmt.Sprint("c", i), ResourceClaimName: &c})
		}
	}
}

// card is a device of 40 units on a node, offered whole, in halves and in quarters.
func card(name, node string) []*resourceapi.ResourceSlice {
	counters := slice(name+"-counters", node)
	counters.Spec.Pool = resourceapi.ResourcePool{Name: name, Generation: 1, ResourceSliceCount: 2}
	counters.Spec.SharedCounters = []resourceapi.CounterSet{{Name: "card", Counters: map[string]resourceapi.Counter{"memory": {Value: resource.MustParse("40")}}}}
	parts := slice(name+"-parts", node)
	parts.Spec.Pool = counters.Spec.Pool
	for _, p := range []struct {
		kind  string
		n     int
		units string
	}{{"whole", 1, "40"}, {"half", 2, "20"}, {"quarter", 4, "10"}} {
		for _, d := range devs(p.n, p.kind) {
			d.ConsumesCounters = []resourceapi.DeviceCounterConsumption{{CounterSet: "card", Counters: map[string]resourceapi.Counter{"memory": {Value: resource.MustParse(p.units)}}}}
			parts.Spec.Devices = append(parts.Spec.Devices, d)
		}
	}
	return []*resourceapi.ResourceSlice{counters, parts}
}

// deviceCluster has nodes n0, n1 … with so many devices of model a each, and classes any and one for each model.
func deviceCluster(nodes, devices int) *engine.Engine {
	e := engine.New(engine.Options{})
	for i := range nodes {
		name := fmt.Sprint("n", i)
		e.UpsertNode(node(name, 64, 0, zone, []string{"a", "b"}[i%2]))
		if devices > 0 {
			e.UpsertResourceSlice(slice("pool-"+name, name, devs(devices, "a")...))
		}
	}
	addClasses(e)
	return e
}

func addClasses(e *engine.Engine) {
	e.UpsertDeviceClass(class("any", "true"))
	for _, m := range []string{"a", "b", "net", "whole", "half", "quarter"} {
		e.UpsertDeviceClass(class(m, modelIs(m)))
	}
}

// write does what the binder does with a decision: allocations and reservations stand in the claims afterwards.
func write(e *engine.Engine, claims map[string]*resourceapi.ResourceClaim, d engine.Decision) {
	e.Assume(d.Placements)
	for _, pl := range d.Placements {
		for _, dc := range pl.Devices {
			if dc.Name == "" {
				continue
			}
			c := claims[dc.Name].DeepCopy()
			if c.Status.Allocation == nil {
				c.Status.Allocation = dc.Allocation.DeepCopy()
			}
			known := false
			for _, r := range c.Status.ReservedFor {
				known = known || r.UID == dc.Consumer.UID
			}
			if !known {
				c.Status.ReservedFor = append(c.Status.ReservedFor, dc.Consumer)
			}
			claims[dc.Name] = c
			e.UpsertResourceClaim(c)
		}
	}
}
