package engine

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// node is a node as far as placement cares. It outlives its API object while pods still name it.
type node struct {
	id     int32
	name   string
	exists bool
	logged uint64 // sequence number after its last entry in the change log

	labels map[string]string
	taints []corev1.Taint
	cordon bool
	// features are those it declares.
	features []string
	alloc    []int64 // by resource; may be shorter than the registry
	used     []int64
	slots    int32  // pods it may hold
	extra    uint64 // extended resources it offers, by bit
	count    int32  // pods that hold something of it
	named    int32  // pods that name it, finished ones too
	ports    []port
	// kept is the root the node is reserved for, if any.
	kept *Root
	// shunned: for the length of a trial, it is to be done without.
	shunned bool
	// obj is the node as the devices see it; nil until they ask.
	obj *corev1.Node
	// seats are the places kept on it for nominated pods.
	seats []*seat
}

// UpsertNode tells that a node exists and what it looks like. The labels and taints are kept, not copied.
func (e *Engine) UpsertNode(obj *corev1.Node) {
	e.resources.learn(obj.Status.Allocatable)
	n := e.nodeFor(obj.Name)
	relabelled := !n.exists || !maps.Equal(n.labels, obj.Labels)
	if n.exists && !relabelled && n.cordon == obj.Spec.Unschedulable && slices.EqualFunc(n.taints, obj.Spec.Taints, sameTaint) &&
		slices.Equal(n.features, obj.Status.DeclaredFeatures) &&
		e.sameAlloc(n, obj.Status.Allocatable) {
		return
	}
	if relabelled {
		known := n.exists
		n.labels, n.exists = obj.Labels, true
		n.obj = nil
		e.moves++
		e.redomain(n, known)
	}
	n.taints, n.cordon, n.features = obj.Spec.Taints, obj.Spec.Unschedulable, obj.Status.DeclaredFeatures
	n.slots = slotsOf(obj.Status.Allocatable)
	n.alloc, n.extra = n.alloc[:0], 0
	for name, q := range obj.Status.Allocatable {
		i, v := e.resources.of(name), offered(name, &q)
		e.set(&n.alloc, i, v)
		if v > 0 {
			n.extra |= e.resources.bit(i)
		}
	}
	e.touch(n)
	e.freed++
	e.wakeKeeper(n)
	e.wakeSeated(n, Root{})
	e.waiting.changed = true
}

// DeleteNode tells that a node is gone. Pods that name it stay known until they are deleted.
func (e *Engine) DeleteNode(name string) {
	id, ok := e.byName[name]
	if !ok {
		return
	}
	n := e.nodes[id]
	if n.exists {
		n.exists = false
		e.moves++
		e.wakeSeated(n, Root{})
		e.redomain(n, true)
		e.touch(n)
		e.waiting.changed = true
	}
	e.release(n)
}

// nodeFor is the node of a name; one that was not known is made, without existing.
func (e *Engine) nodeFor(name string) *node {
	if id, ok := e.byName[name]; ok {
		return e.nodes[id]
	}
	n := &node{name: name}
	if len(e.idle) > 0 {
		n.id = e.idle[len(e.idle)-1]
		e.idle = e.idle[:len(e.idle)-1]
		n.logged = e.nodes[n.id].logged
		e.nodes[n.id] = n
	} else {
		n.id = int32(len(e.nodes))
		e.nodes = append(e.nodes, n)
		for _, k := range e.keys {
			k.grow(len(e.nodes))
		}
	}
	e.byName[name] = n.id
	e.order.fresh = append(e.order.fresh, n.id)
	return n
}

// release forgets a node that does not exist and that no pod names.
func (e *Engine) release(n *node) {
	if n.exists || n.named > 0 {
		return
	}
	delete(e.byName, n.name)
	e.nodes[n.id] = &node{id: n.id, logged: n.logged}
	e.idle = append(e.idle, n.id)
}

// set makes v[i] = x, growing v.
func (e *Engine) set(v *[]int64, i int32, x int64) {
	for int(i) >= len(*v) {
		*v = append(*v, 0)
	}
	(*v)[i] = x
}

func at(v []int64, i int32) int64 {
	if int(i) < len(v) {
		return v[i]
	}
	return 0
}

func (e *Engine) sameAlloc(n *node, l corev1.ResourceList) bool {
	if slotsOf(l) != n.slots {
		return false
	}
	seen := 0
	for name, q := range l {
		v := offered(name, &q)
		if at(n.alloc, e.resources.of(name)) != v {
			return false
		}
		if v != 0 {
			seen++
		}
	}
	for _, v := range n.alloc {
		if v != 0 {
			seen--
		}
	}
	return seen == 0
}

func sameTaint(a, b corev1.Taint) bool {
	return a.Key == b.Key && a.Value == b.Value && a.Effect == b.Effect
}
