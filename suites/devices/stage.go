package devices

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/workloads/build"
)

var (
	slices    = schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "resourceslices"}
	classes   = schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "deviceclasses"}
	claims    = schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "resourceclaims"}
	templates = schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "resourceclaimtemplates"}
	// taintRules give devices taints from outside of their driver.
	taintRules = schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "devicetaintrules"}
)

const (
	// mainPool is the pool of every scenario.
	mainPool = "main"
	// glance is long enough for watches to have delivered what was just written, and for a controller to have acted on it.
	// It is used where nothing can be awaited.
	glance = 3 * time.Second
	// soon is generous for what a controller does after an event; nothing is measured by it.
	soon = 30 * time.Second
)

// needs is the usual need: one pool of so many nodes.
func needs(count int) suites.Needs {
	return suites.Needs{Pools: []nodes.Pool{{Name: mainPool, Count: count}}}
}

// driver is the name of the scenario's device driver, and of the class that takes any of its devices.
func driver(namespace string) string { return namespace + ".muster.dev" }

// device is a device without a difference.
func device(name string) resourceapi.Device { return resourceapi.Device{Name: name} }

// alike are n devices without a difference: dev-0 … .
func alike(n int) []resourceapi.Device {
	out := make([]resourceapi.Device, n)
	for i := range out {
		out[i] = device(fmt.Sprintf("dev-%d", i))
	}
	return out
}

// within gives a device an attribute of the scenario's driver with a whole number.
func within(d resourceapi.Device, attribute string, n int64) resourceapi.Device {
	if d.Attributes == nil {
		d.Attributes = map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{}
	}
	d.Attributes[resourceapi.QualifiedName(attribute)] = resourceapi.DeviceAttribute{IntValue: &n}
	return d
}

// memory gives a device that much memory.
func memory(d resourceapi.Device, quantity string) resourceapi.Device {
	d.Capacity = map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{"memory": {Value: resource.MustParse(quantity)}}
	return d
}

// onNode is a slice with the devices of one node; its pool is called after the node.
func onNode(env suites.Env, node string, devices ...resourceapi.Device) *resourceapi.ResourceSlice {
	s := slice(env, node, devices)
	s.Spec.NodeName = &node
	return s
}

// onFabric is a slice with devices that every node of the pool reaches; its pool is called after the namespace.
func onFabric(env suites.Env, devices ...resourceapi.Device) *resourceapi.ResourceSlice {
	s := slice(env, env.Namespace(), devices)
	s.Spec.NodeSelector = &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
		MatchExpressions: []corev1.NodeSelectorRequirement{{Key: nodes.PoolLabel, Operator: corev1.NodeSelectorOpIn, Values: []string{env.Pool(mainPool).Name()}}},
	}}}
	return s
}

func slice(env suites.Env, pool string, devices []resourceapi.Device) *resourceapi.ResourceSlice {
	s := &resourceapi.ResourceSlice{
		TypeMeta:   metav1.TypeMeta{APIVersion: resourceapi.SchemeGroupVersion.String(), Kind: "ResourceSlice"},
		ObjectMeta: metav1.ObjectMeta{Name: pool + "-devices"},
	}
	s.Spec.Driver, s.Spec.Devices = driver(env.Namespace()), devices
	s.Spec.Pool = resourceapi.ResourcePool{Name: pool, Generation: 1, ResourceSliceCount: 1}
	return s
}

// publish creates the slices and the class of the scenario's driver, and waits a glance for schedulers to know them. The
// answers are recorded, so that a judge knows what there was.
func publish(ctx context.Context, env suites.Env, list ...*resourceapi.ResourceSlice) error {
	name := driver(env.Namespace())
	if err := create(ctx, env, classes, build.DeviceClass(name, "", fmt.Sprintf("device.driver == %q", name))); err != nil {
		return err
	}
	if err := add(ctx, env, list...); err != nil {
		return err
	}
	env.Hold(ctx, "the devices are known", glance)
	return ctx.Err()
}

// add creates further slices.
func add(ctx context.Context, env suites.Env, list ...*resourceapi.ResourceSlice) error {
	for _, s := range list {
		obj, err := convert(s)
		if err != nil {
			return err
		}
		r, err := env.Try(ctx, published+s.Name, suites.Attempt{Verb: "create", GVR: slices, Object: obj, ClusterScoped: true})
		if err != nil {
			return err
		}
		if !r.OK() {
			return fmt.Errorf("publishing the devices of %s: the API server answered %d %s: %s", s.Name, r.Code, r.Reason, r.Message)
		}
	}
	return nil
}

// published begins the labels of what was published.
const published = "publish "

// create makes any typed object.
func create(ctx context.Context, env suites.Env, gvr schema.GroupVersionResource, typed any) error {
	obj, err := convert(typed)
	if err != nil {
		return err
	}
	return env.Create(ctx, gvr, obj)
}

func convert(typed any) (*unstructured.Unstructured, error) {
	raw, err := json.Marshal(typed)
	if err != nil {
		return nil, fmt.Errorf("writing %T: %w", typed, err)
	}
	var u unstructured.Unstructured
	if err := json.Unmarshal(raw, &u.Object); err != nil {
		return nil, fmt.Errorf("writing %T: %w", typed, err)
	}
	return &u, nil
}

// one asks for one device of the scenario's driver, with these selectors.
func one(env suites.Env, selectors ...string) resourceapi.DeviceRequest {
	return some(env, 1, selectors...)
}

// some asks for n devices of the scenario's driver.
func some(env suites.Env, n int64, selectors ...string) resourceapi.DeviceRequest {
	return build.DeviceRequest("r", driver(env.Namespace()), n, selectors...)
}

// claim creates a ResourceClaim for one device.
func claim(ctx context.Context, env suites.Env, name string) error {
	return create(ctx, env, claims, build.ResourceClaim(name, one(env)))
}

// template creates a ResourceClaimTemplate for one device.
func template(ctx context.Context, env suites.Env, name string) error {
	return create(ctx, env, templates, build.ResourceClaimTemplate(name, one(env)))
}

// named and made are entries of resourceClaims: a claim by its name, and one made from a template.
func named(entry, claim string) build.DeviceClaim {
	return build.DeviceClaim{Name: entry, Claim: claim}
}

func made(entry, template string) build.DeviceClaim {
	return build.DeviceClaim{Name: entry, Template: template}
}

// worker is a pod of the scenario that uses these entries; an empty gang makes a plain one.
func worker(name, gang string, entries ...build.DeviceClaim) build.Pod {
	return build.Pod{Name: name, Gang: gang, Pool: mainPool, Shape: build.Shape{CPU: "100m"}, Devices: entries}
}

// workers are n of them, named gang-0 … .
func workers(n int, gang string, entries ...build.DeviceClaim) []build.Pod {
	return build.Replicas(n, worker(gang, gang, entries...))
}
