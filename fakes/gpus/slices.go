package gpus

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/fakes/nodes"
)

// NodeSlices are the ResourceSlices that drivers on the node with this index of a valid pool publish, in a pool of devices
// named after the node. Where owner is the node as the API server knows it, they belong to it and go with it, as a
// driver's do. There are none where the devices can be used from further nodes.
func NodeSlices(p nodes.Pool, index int, owner *corev1.Node) ([]*resourcev1.ResourceSlice, error) {
	if p.Devices.Model == "" || p.Devices.Reach != nodes.ReachNode {
		return nil, nil
	}
	m, err := Named(p.Devices.Model)
	if err != nil {
		return nil, fmt.Errorf("pool %s: %w", p.Name, err)
	}
	return m.NodeSlices(p, index, owner)
}

// NodeSlices are those of a pool whose nodes have devices of this very model, whatever the pool calls it.
func (m Model) NodeSlices(p nodes.Pool, index int, owner *corev1.Node) ([]*resourcev1.ResourceSlice, error) {
	node := nodes.Name(p.Name, index)
	where := place{pool: p, name: node, rack: p.Rack(index), nodeName: &node}
	if owner != nil && owner.UID != "" {
		yes := true
		where.owner = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Node", Name: node, UID: owner.UID, Controller: &yes}}
	}
	return where.slices(m)
}

// SharedSlices are the ResourceSlices of devices that several nodes can use: those of the pool or all of the cluster. There
// are none where each node has its own.
func SharedSlices(p nodes.Pool) ([]*resourcev1.ResourceSlice, error) {
	if p.Devices.Model == "" || p.Devices.Reach == nodes.ReachNode {
		return nil, nil
	}
	m, err := Named(p.Devices.Model)
	if err != nil {
		return nil, fmt.Errorf("pool %s: %w", p.Name, err)
	}
	where := place{pool: p, name: p.Name}
	if p.Devices.Reach == nodes.ReachCluster {
		yes := true
		where.allNodes = &yes
	} else {
		where.selector = &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchExpressions: []corev1.NodeSelectorRequirement{{Key: nodes.PoolLabel, Operator: corev1.NodeSelectorOpIn, Values: []string{p.Name}}},
		}}}
	}
	return where.slices(m)
}

// place is where devices are: what the slices of one pool of devices have in common.
type place struct {
	pool     nodes.Pool
	name     string // of the pool of devices
	rack     int
	owner    []metav1.OwnerReference
	nodeName *string
	selector *corev1.NodeSelector
	allNodes *bool
}

func (w place) slices(m Model) ([]*resourcev1.ResourceSlice, error) {
	var out []*resourcev1.ResourceSlice
	for _, driver := range m.drivers() {
		published, err := m.publish(driver, w)
		if err != nil {
			return nil, fmt.Errorf("pool %s: %w", w.pool.Name, err)
		}
		out = append(out, w.cut(DriverName(w.pool.Devices.Scope, driver), published)...)
	}
	return out, nil
}

// drivers of the model in the order of its data, each once.
func (m Model) drivers() []string {
	var out []string
	for i, p := range m.Publications {
		if i == 0 || m.Publications[i-1].Driver != p.Driver {
			out = append(out, p.Driver)
		}
	}
	return out
}

// published is everything of one driver in one place.
type published struct {
	devices  []resourcev1.Device
	counters []resourcev1.CounterSet
}

// cut divides what is published among slices as large as the API allows. Counters come in slices of their own.
func (w place) cut(driver string, p published) []*resourcev1.ResourceSlice {
	limit := resourcev1.ResourceSliceMaxDevices
	for _, d := range p.devices {
		if len(d.Taints) > 0 || len(d.ConsumesCounters) > 0 {
			limit = resourcev1.ResourceSliceMaxDevicesWithAdvancedFeatures
		}
	}
	var specs []resourcev1.ResourceSliceSpec
	for rest := p.counters; len(rest) > 0; {
		n := min(len(rest), resourcev1.ResourceSliceMaxCounterSets)
		specs = append(specs, resourcev1.ResourceSliceSpec{SharedCounters: rest[:n]})
		rest = rest[n:]
	}
	for rest := p.devices; len(rest) > 0; {
		n := min(len(rest), limit)
		specs = append(specs, resourcev1.ResourceSliceSpec{Devices: rest[:n]})
		rest = rest[n:]
	}
	out := make([]*resourcev1.ResourceSlice, len(specs))
	for i, spec := range specs {
		name := w.name + "-" + driver
		if i > 0 {
			name = fmt.Sprintf("%s-%d", name, i)
		}
		spec.Driver = driver
		spec.Pool = resourcev1.ResourcePool{Name: w.name, Generation: 1, ResourceSliceCount: int64(len(specs))}
		spec.NodeName, spec.NodeSelector, spec.AllNodes = w.nodeName, w.selector, w.allNodes
		out[i] = &resourcev1.ResourceSlice{
			TypeMeta:   metav1.TypeMeta{APIVersion: resourcev1.SchemeGroupVersion.String(), Kind: "ResourceSlice"},
			ObjectMeta: metav1.ObjectMeta{Name: name, OwnerReferences: w.owner},
			Spec:       spec,
		}
	}
	return out
}
