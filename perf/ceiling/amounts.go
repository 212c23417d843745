package ceiling

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"
)

// amount of one resource; CPU in thousandths, everything else in its own unit.
type amount struct {
	index int
	n     int64
}

// names gives every resource (and host port) a small number, so that counting needs no maps.
type names struct {
	index map[corev1.ResourceName]int
	// ports are the indexes of host ports, of which every node has one each.
	ports map[int]bool
}

func newNames() *names {
	return &names{index: map[corev1.ResourceName]int{}, ports: map[int]bool{}}
}

func (n *names) of(r corev1.ResourceName) int {
	i, ok := n.index[r]
	if !ok {
		i = len(n.index)
		n.index[r] = i
	}
	return i
}

func (n *names) amounts(list corev1.ResourceList) []amount {
	out := make([]amount, 0, len(list)+1)
	for name, q := range list {
		v := q.Value()
		if name == corev1.ResourceCPU {
			v = q.MilliValue()
		}
		if v != 0 {
			out = append(out, amount{n.of(name), v})
		}
	}
	return out
}

// needs is everything a pod takes of its node, claimed devices apart.
func (n *names) needs(p *corev1.Pod) []amount {
	out := n.amounts(resource.PodRequests(p, resource.PodResourcesOptions{}))
	out = append(out, amount{n.of(corev1.ResourcePods), 1})
	for _, c := range p.Spec.Containers {
		for _, port := range c.Ports {
			if port.HostPort > 0 {
				i := n.of(corev1.ResourceName("port/" + string(port.Protocol) + "/" + strconv.Itoa(int(port.HostPort))))
				n.ports[i] = true
				out = append(out, amount{i, 1})
			}
		}
	}
	return out
}
