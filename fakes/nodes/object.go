package nodes

import (
	"fmt"
	"maps"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// KubeletVersion that simulated nodes report: that of the control plane they belong to.
const KubeletVersion = "v1.37.2"

// kwokAnnotation and kwokLabel mark a node as one without a machine, as kwok's users expect to find it.
const (
	kwokAnnotation = "kwok.x-k8s.io/node"
	kwokLabel      = "type"
)

// Object is the node with this index (from 0) of a valid pool. It depends on nothing but its arguments, and is complete:
// created with its status, it is Ready at once. It panics on quantities that Validate would have refused.
func Object(p Pool, index int) *corev1.Node {
	p = p.WithDefaults()
	labels := p.ownLabels(index)
	maps.Copy(labels, p.Labels)
	capacity := p.capacity()
	return &corev1.Node{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
		ObjectMeta: metav1.ObjectMeta{
			Name:        Name(p.Name, index),
			Labels:      labels,
			Annotations: map[string]string{kwokAnnotation: "fake"},
		},
		Spec: corev1.NodeSpec{Taints: p.taints()},
		Status: corev1.NodeStatus{
			Capacity:    capacity,
			Allocatable: capacity.DeepCopy(),
			Conditions:  conditions(),
			Addresses: []corev1.NodeAddress{
				{Type: corev1.NodeInternalIP, Address: address(index)},
				{Type: corev1.NodeHostName, Address: Name(p.Name, index)},
			},
			NodeInfo: corev1.NodeSystemInfo{
				Architecture: p.Arch, OperatingSystem: "linux", OSImage: "simulated by muster",
				KernelVersion: "0.0.0", ContainerRuntimeVersion: "kwok://0.8.0", KubeletVersion: KubeletVersion,
			},
		},
	}
}

// Name of the node with this index of a pool with this (real) name.
func Name(pool string, index int) string { return fmt.Sprintf("%s-%d", pool, index) }

// ownLabels are the labels a pool sets by itself. Racks and zones are numbered in order of the index, and no two pools
// share one.
func (p Pool) ownLabels(index int) map[string]string {
	p = p.WithDefaults()
	labels := map[string]string{
		PoolLabel:              p.Name,
		corev1.LabelHostname:   Name(p.Name, index),
		corev1.LabelArchStable: p.Arch,
		corev1.LabelOSStable:   "linux",
		kwokLabel:              "kwok",
	}
	if p.NodesPerRack > 0 {
		rack := index / p.NodesPerRack
		labels[p.RackKey] = fmt.Sprintf("%s-rack-%d", p.Name, rack)
		if p.RacksPerZone > 0 {
			labels[p.ZoneKey] = fmt.Sprintf("%s-zone-%d", p.Name, rack/p.RacksPerZone)
		}
	}
	for k, v := range p.RackLabels {
		labels[k] = strings.ReplaceAll(v, "$rackuuid", RackUUID(p.Name, p.Rack(index)))
	}
	return labels
}

func (p Pool) taints() []corev1.Taint {
	var out []corev1.Taint
	if !p.Open {
		out = append(out, corev1.Taint{Key: PoolTaint, Value: p.Name, Effect: corev1.TaintEffectNoSchedule})
	}
	for _, t := range p.Taints {
		out = append(out, corev1.Taint{Key: t.Key, Value: t.Value, Effect: corev1.TaintEffect(t.Effect)})
	}
	return out
}

func (p Pool) capacity() corev1.ResourceList {
	out := corev1.ResourceList{
		corev1.ResourceCPU:              resource.MustParse(p.CPU),
		corev1.ResourceMemory:           resource.MustParse(p.Memory),
		corev1.ResourcePods:             *resource.NewQuantity(int64(p.Pods), resource.DecimalSI),
		corev1.ResourceEphemeralStorage: resource.MustParse(defaultStorage),
	}
	if p.GPUs > 0 {
		out[corev1.ResourceName(p.GPUResource)] = *resource.NewQuantity(int64(p.GPUs), resource.DecimalSI)
	}
	for name, q := range p.Extended {
		out[corev1.ResourceName(name)] = resource.MustParse(q)
	}
	return out
}

// conditions as a healthy kubelet sets them. Their times are left to whoever creates the node.
func conditions() []corev1.NodeCondition {
	healthy := func(t corev1.NodeConditionType, reason, message string) corev1.NodeCondition {
		return corev1.NodeCondition{Type: t, Status: corev1.ConditionFalse, Reason: reason, Message: message}
	}
	ready := healthy(corev1.NodeReady, "KubeletReady", "simulated node, ready from its creation")
	ready.Status = corev1.ConditionTrue
	return []corev1.NodeCondition{
		healthy(corev1.NodeMemoryPressure, "KubeletHasSufficientMemory", "simulated node"),
		healthy(corev1.NodeDiskPressure, "KubeletHasNoDiskPressure", "simulated node"),
		healthy(corev1.NodePIDPressure, "KubeletHasSufficientPID", "simulated node"),
		ready,
	}
}

// address lies in 198.18.0.0/15, set aside for benchmarks (RFC 2544): nothing real answers there. Pools reuse it.
func address(index int) string {
	n := index % (1 << 17)
	return fmt.Sprintf("198.%d.%d.%d", 18+n>>16, n>>8&0xff, n&0xff)
}
