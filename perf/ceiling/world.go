package ceiling

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// key of a namespaced object.
type key struct{ namespace, name string }

// world is everything that is known. It is pure: events go in, jobs come out through emit. Its caller locks.
type world struct {
	ours []string
	emit func(*job)

	names   *names
	nodes   map[string]*node
	ordered []*node
	version int // of what views look at
	views   map[string]*view

	pods   map[key]*pod
	groups map[key]*group
	claims map[key]*claim
	slices map[string]*slice
	// owners of the devices that are published; held are those that a claim has.
	owners map[device]*node
	held   map[device]bool
	// awaiting are pods that name a claim which is not there yet.
	awaiting map[key]map[*pod]bool

	// live: everything that existed at the start has been told; before that nothing is placed.
	live bool
	// stuck pods and groups had no place; they are looked at again when room appears.
	stuckPods   map[*pod]bool
	stuckGroups map[*group]bool
	roomier     bool
}

func newWorld(ours []string, emit func(*job)) *world {
	return &world{
		ours: ours, emit: emit, names: newNames(), nodes: map[string]*node{}, views: map[string]*view{},
		pods: map[key]*pod{}, groups: map[key]*group{}, claims: map[key]*claim{}, slices: map[string]*slice{}, owners: map[device]*node{}, held: map[device]bool{},
		awaiting: map[key]map[*pod]bool{}, stuckPods: map[*pod]bool{}, stuckGroups: map[*group]bool{},
	}
}

// pod is one that takes room, or is to be bound.
type pod struct {
	key   key
	uid   types.UID
	needs []amount
	view  string
	obj   *corev1.Pod // until it is placed
	group *group      // nil: on its own
	node  *node       // where it takes room; nil: nowhere
	// bound: the API server has said so. Between a place and that it is under way.
	bound bool
	// ready to be placed: no gate, its claims are there.
	ready bool
	// failures of its bind.
	failures int
	// claims of it, and how many devices those ask for that are not allocated.
	claims  []*claim
	devices int
}

func (w *world) nodeNamed(name string) *node {
	n := w.nodes[name]
	if n == nil {
		n = &node{name: name}
		w.nodes[name] = n
		w.ordered = append(w.ordered, n)
	}
	return n
}

func (w *world) upsertNode(o *corev1.Node) {
	n := w.nodeNamed(o.Name)
	if !sameForPods(n.obj, o) {
		w.version++
		w.roomier = true
	}
	n.obj = o
	if n.offer(w.names.amounts(o.Status.Allocatable)) {
		w.roomier = true
	}
}

func (w *world) deleteNode(name string) {
	n := w.nodes[name]
	if n == nil {
		return
	}
	delete(w.nodes, name)
	w.ordered = slices.DeleteFunc(w.ordered, func(x *node) bool { return x == n })
	n.obj, n.has = nil, nil // pods on it keep their counts; nothing fits any more
	w.version++
}

// settle looks again at what had no place, if room has appeared. The caller calls it after events, once for many.
func (w *world) settle() {
	if !w.live || !w.roomier {
		return
	}
	w.roomier = false
	for p := range w.stuckPods {
		delete(w.stuckPods, p)
		w.place(p)
	}
	for g := range w.stuckGroups {
		delete(w.stuckGroups, g)
		w.consider(g)
	}
}

// start places what was there at the start.
func (w *world) start() {
	w.live, w.roomier = true, false
	for _, g := range w.groups {
		w.consider(g)
	}
	for _, p := range w.pods {
		if p.group == nil {
			w.place(p)
		}
	}
}
