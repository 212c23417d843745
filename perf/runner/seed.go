package runner

import (
	"context"
	"fmt"
	"sync"

	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"muster/fakes/cluster/storage"
	"muster/fakes/nodes"
	nodeseed "muster/fakes/nodes/seed"
	"muster/perf/scenario"
	"muster/workloads/build"
)

// Devices of the simulated nodes.
const (
	deviceDriver = "gpu.muster.dev"
	deviceClass  = "gpu.muster.dev"
)

// seedWorkers make devices.
const seedWorkers = 64

// poolOf is the scenario's nodes. They are open, so that pods need neither a selector nor a toleration, which upstream's
// loads have not and which would cost every side a filter.
func poolOf(s *scenario.Sized) nodes.Pool {
	p := s.Node
	p.Name, p.Count, p.Open = pool, s.Nodes, true
	return p
}

// preload puts the nodes into storage before anybody is there to be told of them.
func preload(ctx context.Context, store *storage.Store, s *scenario.Sized, progress func(string)) error {
	progress(fmt.Sprintf("storing %d nodes", s.Nodes))
	_, err := nodeseed.Pools(ctx, store, nil, poolOf(s))
	return err
}

// seed makes what else needs no controller, before the controllers are told of it one by one: priorities and devices.
func seed(ctx context.Context, cfg *rest.Config, s *scenario.Sized, progress func(string)) error {
	d, err := newDriver(cfg)
	if err != nil {
		return err
	}
	for _, priority := range priorities(s) {
		class := build.PriorityClass(priorityClass(priority), priority, nil)
		if _, err := d.typed.SchedulingV1().PriorityClasses().Create(ctx, class, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating the priority class %s: %w", class.Name, err)
		}
	}
	if s.Devices == 0 {
		return nil
	}
	progress(fmt.Sprintf("making the devices of %d nodes", s.Nodes))
	return seedDevices(ctx, d.typed, s)
}

// priorities other than 0, each once.
func priorities(s *scenario.Sized) []int32 {
	var out []int32
	seen := map[int32]bool{0: true}
	for _, p := range s.Phases {
		for _, g := range p.Groups {
			if !seen[g.Priority] {
				seen[g.Priority] = true
				out = append(out, g.Priority)
			}
		}
	}
	return out
}

func seedDevices(ctx context.Context, client kubernetes.Interface, s *scenario.Sized) error {
	class := &resourcev1.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: deviceClass}}
	class.Spec.Selectors = []resourcev1.DeviceSelector{{CEL: &resourcev1.CELDeviceSelector{
		Expression: fmt.Sprintf("device.driver == %q", deviceDriver),
	}}}
	if _, err := client.ResourceV1().DeviceClasses().Create(ctx, class, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("creating the device class: %w", err)
	}
	return parallel(ctx, s.Nodes, seedWorkers, func(ctx context.Context, i int) error {
		slice := sliceOf(s, i)
		if _, err := client.ResourceV1().ResourceSlices().Create(ctx, slice, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating the resource slice %s: %w", slice.Name, err)
		}
		return nil
	})
}

// sliceOf is what node i publishes.
func sliceOf(s *scenario.Sized, i int) *resourcev1.ResourceSlice {
	node := nodes.Name(pool, i)
	out := &resourcev1.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: node}}
	out.Spec = resourcev1.ResourceSliceSpec{
		Driver: deviceDriver, NodeName: &node,
		Pool: resourcev1.ResourcePool{Name: node, Generation: 1, ResourceSliceCount: 1},
	}
	for d := range s.Devices {
		out.Spec.Devices = append(out.Spec.Devices, resourcev1.Device{Name: fmt.Sprintf("gpu-%d", d)})
	}
	return out
}

// claimTemplates are made for every number of devices a pod asks for.
func claimTemplates(ctx context.Context, client kubernetes.Interface, s *scenario.Sized) error {
	seen := map[int]bool{0: true}
	for _, p := range s.Phases {
		for _, g := range p.Groups {
			for _, shape := range g.Pods {
				if seen[shape.Devices] {
					continue
				}
				seen[shape.Devices] = true
				t := &resourcev1.ResourceClaimTemplate{ObjectMeta: metav1.ObjectMeta{Name: claimTemplate(shape.Devices), Namespace: namespace}}
				t.Spec.Spec.Devices.Requests = []resourcev1.DeviceRequest{{Name: "gpus", Exactly: &resourcev1.ExactDeviceRequest{
					DeviceClassName: deviceClass, AllocationMode: resourcev1.DeviceAllocationModeExactCount, Count: int64(shape.Devices),
				}}}
				if _, err := client.ResourceV1().ResourceClaimTemplates(namespace).Create(ctx, t, metav1.CreateOptions{}); err != nil {
					return fmt.Errorf("creating the claim template %s: %w", t.Name, err)
				}
			}
		}
	}
	return nil
}

// parallel calls f for 0 … n−1, workers at a time. The first error ends it.
func parallel(ctx context.Context, n, workers int, f func(context.Context, int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	jobs := make(chan int)
	var wg sync.WaitGroup
	for range min(workers, n) {
		wg.Go(func() {
			for i := range jobs {
				if err := f(ctx, i); err != nil {
					cancel(err)
				}
			}
		})
	}
feeding:
	for i := range n {
		select {
		case jobs <- i:
		case <-ctx.Done():
			break feeding
		}
	}
	close(jobs)
	wg.Wait()
	return context.Cause(ctx)
}
