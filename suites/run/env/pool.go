package env

import (
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	resources "k8s.io/component-helpers/resource"

	"muster/fakes/nodes"
	"muster/suites/history"
	"muster/workloads/build"
)

// pool is suites.Pool.
type pool struct {
	spec nodes.Pool // under its real name
	live Live

	mu    sync.Mutex
	next  int
	nodes []string
}

// Name is the real name.
func (p *pool) Name() string { return p.spec.Name }

// Spec is what was asked for, with the real name and the real topology keys.
func (p *pool) Spec() nodes.Pool { return p.spec }

// Nodes in order of creation.
func (p *pool) Nodes() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.nodes)
}

// Slots is how many pods of this shape fit now: by node, the observed allocatable minus the requests of all pods bound
// there, whoever they belong to.
func (p *pool) Slots(shape build.Shape) int {
	want := requests(build.PodObject(build.Pod{Name: "slot", Shape: shape}, build.Defaults{}))
	total := 0
	p.live.Look(func(v *history.View) {
		state := v.StateAt(v.Now())
		if state == nil {
			return
		}
		for _, name := range p.Nodes() {
			node, ok := state.Nodes[name]
			if !ok {
				continue
			}
			free := node.Status.Allocatable.DeepCopy()
			held := int64(0)
			for _, pod := range state.Pods {
				if pod.NodeName == name {
					subtract(free, requests(pod.Now))
					held++
				}
			}
			total += fits(free, want, held)
		}
	})
	return total
}

// fits is how many copies of want fit into free on a node that holds a number of pods already.
func fits(free, want corev1.ResourceList, held int64) int {
	n := free.Pods().Value() - held
	for name, q := range want {
		have := free[name]
		if q.IsZero() {
			continue
		}
		n = min(n, have.MilliValue()/q.MilliValue())
	}
	return int(max(n, 0))
}

func subtract(from, what corev1.ResourceList) {
	for name, q := range what {
		have := from[name]
		have.Sub(q)
		from[name] = have
	}
}

func requests(pod *corev1.Pod) corev1.ResourceList {
	return resources.PodRequests(pod, resources.PodResourcesOptions{})
}

// reserve takes the next n indices.
func (p *pool) reserve(n int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	from := p.next
	p.next += n
	return from
}

func (p *pool) add(node string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.nodes = append(p.nodes, node)
}

func (p *pool) remove(node string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.nodes = slices.DeleteFunc(p.nodes, func(n string) bool { return n == node })
}
