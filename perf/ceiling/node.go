package ceiling

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// node is a set of counters. One that has not been seen yet, but on which pods are bound, has no room.
type node struct {
	name string
	obj  *corev1.Node // labels and taints; nil: not seen
	// has is what the node offers, by the index of names; used may be longer, when a pod asks for what no node has.
	has, used []int64
	// free are the devices nobody holds.
	free []device
}

func at(list []int64, i int) int64 {
	if i < len(list) {
		return list[i]
	}
	return 0
}

// fits reports whether one more such pod has room. Of the ports every node has one each.
func (n *node) fits(p *pod, ports map[int]bool) bool {
	if p.devices > len(n.free) {
		return false
	}
	for _, a := range p.needs {
		has := at(n.has, a.index)
		if ports[a.index] {
			has = 1
		}
		if a.n > has-at(n.used, a.index) {
			return false
		}
	}
	return true
}

func (n *node) charge(needs []amount, sign int64) {
	for _, a := range needs {
		for len(n.used) <= a.index {
			n.used = append(n.used, 0)
		}
		n.used[a.index] += sign * a.n
	}
}

// offer sets what the node has and reports whether that is more than before, of anything.
func (n *node) offer(list []amount) (more bool) {
	has := make([]int64, 0, len(list))
	for _, a := range list {
		for len(has) <= a.index {
			has = append(has, 0)
		}
		has[a.index] = a.n
		more = more || a.n > at(n.has, a.index)
	}
	n.has = has
	return more
}

// sameForPods: nothing changed in what selectors, affinities and tolerations look at.
func sameForPods(a, b *corev1.Node) bool {
	if a == nil || b == nil || a.Spec.Unschedulable != b.Spec.Unschedulable || len(a.Labels) != len(b.Labels) {
		return false
	}
	for k, v := range a.Labels {
		if w, ok := b.Labels[k]; !ok || v != w {
			return false
		}
	}
	return slices.EqualFunc(a.Spec.Taints, b.Spec.Taints, func(x, y corev1.Taint) bool {
		return x.Key == y.Key && x.Value == y.Value && x.Effect == y.Effect
	})
}
