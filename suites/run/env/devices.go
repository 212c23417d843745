package env

import (
	"context"
	"fmt"

	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/fakes/gpus"
	"muster/fakes/nodes"
	"muster/suites/history"
)

var (
	deviceClassesGVR  = schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "deviceclasses"}
	resourceSlicesGVR = schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "resourceslices"}
)

// prepareDevices makes what belongs to the devices of the scenario's pools beside the slices of single nodes: the classes,
// named after the scenario (gpus.ClassName), and the slices of devices that nodes share.
func (e *Env) prepareDevices(ctx context.Context) error {
	pools := e.devicePools()
	classes, err := gpus.Classes(pools...)
	if err != nil {
		return fmt.Errorf("making device classes: %w", err)
	}
	for _, c := range classes {
		if err := e.create(ctx, deviceClassesGVR, c); err != nil {
			return err
		}
	}
	for _, p := range pools {
		shared, err := gpus.SharedSlices(p)
		if err != nil {
			return fmt.Errorf("making the devices of pool %s: %w", p.Name, err)
		}
		if err := e.publish(ctx, shared); err != nil {
			return err
		}
	}
	return nil
}

// devicePools are the scenario's pools whose nodes have devices, in the order in which Needs declares them.
func (e *Env) devicePools() []nodes.Pool {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []nodes.Pool
	for _, p := range e.o.Scenario.Needs.Pools {
		if p.Devices.Model != "" {
			out = append(out, e.pools[p.Name].spec)
		}
	}
	return out
}

// nodeDevices publishes what the drivers of one node do.
func (e *Env) nodeDevices(ctx context.Context, p nodes.Pool, index int) error {
	own, err := gpus.NodeSlices(p, index, nil)
	if err != nil {
		return fmt.Errorf("making the devices of node %s: %w", nodes.Name(p.Name, index), err)
	}
	return e.publish(ctx, own)
}

func (e *Env) publish(ctx context.Context, slices []*resourcev1.ResourceSlice) error {
	for _, s := range slices {
		if err := e.create(ctx, resourceSlicesGVR, s); err != nil {
			return err
		}
	}
	return nil
}

func (e *Env) create(ctx context.Context, gvr schema.GroupVersionResource, obj runtime.Object) error {
	u, err := toUnstructured(obj)
	if err != nil {
		return fmt.Errorf("converting %s: %w", gvr.Resource, err)
	}
	return e.must(ctx, request{verb: history.VerbCreate, gvr: gvr, object: u})
}

// forgetDevices removes the slices of a node that has been removed, as the garbage collector does of a real one: drivers'
// slices belong to their nodes.
func (e *Env) forgetDevices(ctx context.Context, node string) error {
	if len(e.devicePools()) == 0 {
		return nil
	}
	err := e.o.Client.Resource(resourceSlicesGVR).DeleteCollection(ctx, metav1.DeleteOptions{},
		metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector(resourcev1.ResourceSliceSelectorNodeName, node).String()})
	if err != nil {
		return fmt.Errorf("removing the devices of node %s: %w", node, err)
	}
	return nil
}

// removeDevices deletes every class and slice of the scenario.
func (e *Env) removeDevices(ctx context.Context, del func(gvr schema.GroupVersionResource, name string)) error {
	pools := e.devicePools()
	classes, err := gpus.Classes(pools...)
	if err != nil {
		return fmt.Errorf("naming device classes: %w", err)
	}
	for _, c := range classes {
		del(deviceClassesGVR, c.Name)
	}
	for _, p := range pools {
		m, err := gpus.Named(p.Devices.Model)
		if err != nil {
			return fmt.Errorf("naming drivers: %w", err)
		}
		for _, pub := range m.Publications {
			driver := gpus.DriverName(p.Devices.Scope, pub.Driver)
			err := e.o.Client.Resource(resourceSlicesGVR).DeleteCollection(ctx, metav1.DeleteOptions{},
				metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector(resourcev1.ResourceSliceSelectorDriver, driver).String()})
			if err != nil {
				return fmt.Errorf("deleting the slices of driver %s: %w", driver, err)
			}
		}
	}
	return nil
}
