package check

import (
	"os"
	"path/filepath"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
	"sigs.k8s.io/yaml"

	"muster/fakes/gpus"
	"muster/fakes/nodes"
)

// TestUsersTemplatesSelect: claim templates as users write them for the real drivers get devices of a node, unchanged, as
// many times as the node has room for them. The scheduler's own allocator hands out.
func TestUsersTemplatesSelect(t *testing.T) {
	for _, tc := range []struct {
		file    string
		devices nodes.Devices
		claims  int // how many of them a node can satisfy
	}{
		{"nvidia-one-gpu", nodes.Devices{Model: "a100"}, 8},
		{"nvidia-one-gpu", nodes.Devices{Model: "h100", Count: 3}, 3},
		{"nvidia-one-gpu", nodes.Devices{Model: "h100", Partitions: true}, 8},
		{"nvidia-one-gpu", nodes.Devices{Model: "gb200"}, 4},
		{"nvidia-one-gpu", nodes.Devices{Model: "mi300x"}, 0},
		{"nvidia-one-gpu", nodes.Devices{Model: "h100", Taints: []nodes.DeviceTaint{{Key: "k", Effect: "NoSchedule", Devices: []int{0, 5}}}}, 6},
		{"nvidia-one-gpu", nodes.Devices{Model: "h100", Taints: []nodes.DeviceTaint{{Key: "k", Effect: "None"}}}, 8},
		{"nvidia-by-product", nodes.Devices{Model: "h100"}, 2},
		{"nvidia-by-product", nodes.Devices{Model: "a100"}, 0},
		{"nvidia-one-numa-node", nodes.Devices{Model: "h100"}, 2},
		{"nvidia-five-at-one-numa-node", nodes.Devices{Model: "h100"}, 0},
		{"nvidia-mig-one-parent", nodes.Devices{Model: "h100", Partitions: true}, 8},
		{"nvidia-mig-one-parent", nodes.Devices{Model: "a100", Partitions: true, Count: 1}, 1},
		{"nvidia-mig-one-parent", nodes.Devices{Model: "h100"}, 0},
		{"nvidia-mig-too-much", nodes.Devices{Model: "h100", Partitions: true, Count: 2}, 0},
		{"nvidia-first-available", nodes.Devices{Model: "h100"}, 4},
		{"nvidia-first-available", nodes.Devices{Model: "gb200"}, 4},
		{"nvidia-share", nodes.Devices{Model: "h100", Shares: 4}, 2 * 8},
		{"nvidia-one-gpu", nodes.Devices{Model: "h100", Shares: 4}, 4 * 8},
		{"nvidia-tray", nodes.Devices{Model: "gb200"}, 1},
		{"amd-one-gpu", nodes.Devices{Model: "mi300x"}, 8},
		{"amd-one-gpu", nodes.Devices{Model: "mi300x", Partitions: true}, 8},
		{"amd-two-partitions-one-parent", nodes.Devices{Model: "mi300x", Partitions: true, Count: 2}, 2 * 4},
	} {
		for _, scope := range []string{"", "scope"} {
			tc.devices.Scope = scope
			t.Run(tc.file+" "+tc.devices.Model+" "+scope, func(t *testing.T) {
				h := newHouse(t, tc.devices)
				spec := template(t, tc.file, scope)
				n := 0
				for n <= tc.claims && h.allocate(t, spec) {
					n++
				}
				if n != tc.claims {
					t.Errorf("%+v: %d claims got devices; want %d", tc.devices, n, tc.claims)
				}
			})
		}
	}
}

// template is a user's, under the names of classes and capacities of the scope, with what the API server fills in.
func template(t *testing.T, file, scope string) resourcev1.ResourceClaimSpec {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "claims", file+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var out resourcev1.ResourceClaimTemplate
	if err := yaml.UnmarshalStrict(b, &out); err != nil {
		t.Fatal(err)
	}
	complete := func(class *string, mode *resourcev1.DeviceAllocationMode, count *int64) {
		*class = gpus.ClassName(scope, *class)
		if *mode == "" {
			*mode = resourcev1.DeviceAllocationModeExactCount
		}
		if *mode == resourcev1.DeviceAllocationModeExactCount && *count == 0 {
			*count = 1
		}
	}
	for i := range out.Spec.Spec.Devices.Requests {
		r := &out.Spec.Spec.Devices.Requests[i]
		if r.Exactly != nil {
			driver := r.Exactly.DeviceClassName
			complete(&r.Exactly.DeviceClassName, &r.Exactly.AllocationMode, &r.Exactly.Count)
			if c := r.Exactly.Capacity; c != nil {
				amounts := map[resourcev1.QualifiedName]resource.Quantity{}
				for name, q := range c.Requests {
					amounts[gpus.CapacityName(scope, driver, string(name))] = q
				}
				c.Requests = amounts
			}
		}
		for j := range r.FirstAvailable {
			s := &r.FirstAvailable[j]
			complete(&s.DeviceClassName, &s.AllocationMode, &s.Count)
		}
	}
	return out.Spec.Spec
}

// house is one node with its devices, those of a neighbour, and what is taken of them.
type house struct {
	node    *corev1.Node
	slices  []*resourcev1.ResourceSlice
	classes lister
	state   structured.AllocatedState
}

func newHouse(t *testing.T, d nodes.Devices) *house {
	t.Helper()
	m, err := gpus.Named(d.Model)
	if err != nil {
		t.Fatal(err)
	}
	p := m.Decorate(nodes.Pool{Name: "p", Count: 2, Devices: d})
	h := &house{node: nodes.Object(p, 0), classes: lister{}, state: structured.AllocatedState{
		AllocatedDevices: sets.New[structured.DeviceID](), AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
		AggregatedCapacity: structured.NewConsumedCapacityCollection(),
	}}
	for i := range p.Count {
		s, err := gpus.NodeSlices(p, i, nil)
		if err != nil {
			t.Fatal(err)
		}
		h.slices = append(h.slices, s...)
	}
	drivers, err := gpus.Drivers()
	if err != nil {
		t.Fatal(err)
	}
	for _, driver := range drivers { // as if every driver were installed, as a cluster of several vendors has it
		for _, c := range driver.DeviceClasses(d.Scope) {
			h.classes[c.Name] = c
		}
	}
	return h
}

// allocate gives one more claim its devices, and reports whether there were any to be had.
func (h *house) allocate(t *testing.T, spec resourcev1.ResourceClaimSpec) bool {
	t.Helper()
	cache := cel.NewCache(100, cel.Features{EnableConsumableCapacity: true})
	allocator, err := structured.NewAllocator(t.Context(), structured.Features{
		ConsumableCapacity: true, DeviceTaints: true, PartitionableDevices: true, PrioritizedList: true,
	}, h.state, h.classes, h.slices, cache)
	if err != nil {
		t.Fatal(err)
	}
	claim := &resourcev1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Name: "c", Namespace: "ns", UID: "c"}, Spec: spec}
	results, err := allocator.Allocate(t.Context(), h.node, []*resourcev1.ResourceClaim{claim})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		for _, d := range r.Devices.Results {
			id := structured.MakeDeviceID(d.Driver, d.Pool, d.Device)
			if d.ShareID == nil {
				if h.state.AllocatedDevices.Has(id) {
					t.Fatalf("device %s was given to two claims", d.Device)
				}
				h.state.AllocatedDevices.Insert(id)
				continue
			}
			h.state.AllocatedSharedDeviceIDs.Insert(structured.MakeSharedDeviceID(id, d.ShareID))
			h.state.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(id, d.ConsumedCapacity))
		}
	}
	return len(results) > 0
}

type lister map[string]*resourcev1.DeviceClass

func (l lister) List() ([]*resourcev1.DeviceClass, error) {
	out := make([]*resourcev1.DeviceClass, 0, len(l))
	for _, c := range l {
		out = append(out, c)
	}
	return out, nil
}

func (l lister) Get(name string) (*resourcev1.DeviceClass, error) {
	if c, ok := l[name]; ok {
		return c, nil
	}
	return nil, apierrors.NewNotFound(resourcev1.Resource("deviceclasses"), name)
}
