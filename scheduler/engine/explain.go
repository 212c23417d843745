package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Short says how one resource stands between a pod and the nodes.
type Short struct {
	Resource corev1.ResourceName
	Asked    int64 // by one pod; cpu in thousandths
	Nodes    int   // nodes that may be used but have less free
	Most     int64 // the most that is free on one of them
}

// Explanation counts, for one shape of pending pods, why nodes do not take one more. A node is counted once, under the
// first reason that holds, in the order of the fields.
type Explanation struct {
	Pods       int    // pending pods of the shape
	Example    PodRef // one of them
	Nodes      int    // nodes in the cluster
	Copies     int64  // how many more pods of the shape the nodes take, rules about other pods apart
	Outside    int    // not in the domain the group is bound to
	Kept       int    // kept for a root that waited longer
	Cordoned   int
	Tainted    int
	Unselected int // by node selector or node affinity
	Undeclared int // lack a feature that the pods ask their node to declare
	Full       int // hold as many pods as they may
	Ports      int // host ports taken
	Short      []Short
	Devices    []DeviceShort
	Faults     []string // of expressions, pools and the search for devices, where devices are short
	Rules      int      // ruled out by affinity, anti-affinity, spread or volumes
}

// Explain says for every shape of a root's pending pods how the nodes stand to it. Where it matters which of several equal
// nodes one looks at (a domain, devices, rules about other pods) it looks at every node, which Solve avoids: ask when the
// answer is going to be written down.
func (e *Engine) Explain(r Root) []Explanation {
	e.solving = r
	defer func() { e.solving = Root{} }()
	var out []Explanation
	if r.Kind == KindPod {
		if p := e.pods[r.Key]; p != nil && p.phase == pending {
			out = append(out, e.explain(e.kindsOf([]*pod{p})[0], everywhere))
		}
		return out
	}
	g := e.groups[groupKey{r.Kind, r.Key}]
	if g == nil {
		return nil
	}
	e.explainGroup(g, everywhere, 0, &out)
	return out
}

func (e *Engine) explainGroup(g *group, sc scope, depth int, out *[]Explanation) {
	if depth > maxDepth {
		return
	}
	sc = e.pinned(g, sc)
	g.order()
	var free []*pod
	for _, p := range g.waiting {
		if p.phase == pending && p.shape.flaw.Code == NoReason {
			free = append(free, p)
		}
	}
	for _, k := range e.kindsOf(free) {
		*out = append(*out, e.explain(k, sc))
	}
	for _, c := range g.children {
		e.explainGroup(c, sc, depth+1, out)
	}
}

func (e *Engine) explain(k *kind, sc scope) Explanation {
	s := k.shape
	x := Explanation{Pods: len(k.pods), Example: PodRef{k.pods[0].Key, k.pods[0].uid}}
	e.prepare(k)
	short := map[int32]*Short{}
	lack := deviceShorts{}
	note := func(n *node, times int) {
		x.Nodes += times
		lacks := int32(-1)
		for _, a := range s.requests { // the first by name: resources are numbered as they are heard of
			if at(n.alloc, a.res)-at(n.used, a.res) < a.v && (lacks < 0 || e.resources.names[a.res] < e.resources.names[lacks]) && !e.backed(s, n, a.res) {
				lacks = a.res
			}
		}
		switch {
		case !sc.holds(n.id):
			x.Outside += times
		case e.closed(n):
			x.Kept += times
		case n.cordon && !s.tolerates(&corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}):
			x.Cordoned += times
		case s.selective && !e.selected(s, n):
			x.Unselected += times
		case !n.declares(s):
			x.Undeclared += times
		case !e.allowed(s, n):
			x.Tainted += times
		case n.count >= n.slots:
			x.Full += times
		case clashes(s.ports, n.ports):
			x.Ports += times
		case lacks >= 0:
			e.noteShort(short, s, n, lacks, times)
		case e.lacksDevices(lack, k, n):
		case !e.legal(k, n.id):
			x.Rules += times
		default:
			x.Copies += int64(e.copies(s, n)) * int64(times)
		}
	}
	e.eachAlike(k, sc, note)
	for _, sh := range short {
		x.Short = append(x.Short, *sh)
	}
	x.Devices = lack.sorted()
	if len(lack) > 0 {
		x.Faults = e.deviceFaults(k)
	}
	slices.SortFunc(x.Short, func(a, b Short) int {
		return cmp.Or(cmp.Compare(b.Nodes, a.Nodes), cmp.Compare(a.Resource, b.Resource))
	})
	return x
}

func (e *Engine) noteShort(short map[int32]*Short, s *shape, n *node, res int32, times int) {
	sh := short[res]
	if sh == nil {
		sh = &Short{Resource: e.resources.names[res]}
		for _, a := range s.requests {
			if a.res == res {
				sh.Asked = a.v
			}
		}
		short[res] = sh
	}
	sh.Nodes += times
	sh.Most = max(sh.Most, at(n.alloc, res)-at(n.used, res))
}

// String reads as "pod team/w-0 and 7 like it ask for …: room for 3 on 5 nodes; 2 nodes have too little nvidia.com/gpu
// (8 asked, at most 2 free)".
func (x Explanation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "pod %s", x.Example.Key)
	if x.Pods > 1 {
		fmt.Fprintf(&b, " and %d like it", x.Pods-1)
	}
	fmt.Fprintf(&b, ": room for %d on %d nodes", x.Copies, x.Nodes)
	for _, s := range x.Short {
		fmt.Fprintf(&b, "; %d nodes have too little %s (%s asked, at most %s free)", s.Nodes, s.Resource, quantity(s.Resource, s.Asked), quantity(s.Resource, s.Most))
	}
	for _, s := range x.Devices {
		fmt.Fprintf(&b, "; %s", s)
	}
	for _, f := range x.Faults {
		fmt.Fprintf(&b, "; %s", f)
	}
	for _, c := range []struct {
		n    int
		what string
	}{
		{x.Full, "hold as many pods as they may"}, {x.Cordoned, "are cordoned"}, {x.Tainted, "have a taint the pods do not tolerate"},
		{x.Unselected, "are not selected"}, {x.Undeclared, "do not declare a feature the pods need"}, {x.Ports, "have the host port taken"}, {x.Rules, "are ruled out by affinity, spread or volumes"},
		{x.Outside, "lie outside the domain in which members stand"}, {x.Kept, "are kept for what waited longer"},
	} {
		if c.n > 0 {
			fmt.Fprintf(&b, "; %d nodes %s", c.n, c.what)
		}
	}
	return b.String()
}

// quantity of a resource as manifests have it: CPUs in cores or thousandths, memory in binary units.
func quantity(name corev1.ResourceName, v int64) string {
	switch name {
	case corev1.ResourceCPU:
		return resource.NewMilliQuantity(v, resource.DecimalSI).String()
	case corev1.ResourceMemory, corev1.ResourceEphemeralStorage:
		return resource.NewQuantity(v, resource.BinarySI).String()
	}
	return strconv.FormatInt(v, 10)
}
