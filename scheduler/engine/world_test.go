package engine_test

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"muster/scheduler/engine"
)

// world is the truth that the engine is told of: what an API server would hold.
type world struct {
	e      *engine.Engine
	nodes  map[string]*corev1.Node
	pods   map[string]*corev1.Pod
	groups map[string]*schedulingv1beta1.PodGroup
	tops   map[string]*schedulingv1alpha3.CompositePodGroup
	next   int
	rules  bool
}

func (w *world) addNode(t *rapid.T) {
	w.next++
	n := node(fmt.Sprint("n", w.next), int64(rapid.IntRange(1, 6).Draw(t, "cpu")), int64(rapid.IntRange(0, 2).Draw(t, "gpu")))
	if z := rapid.SampledFrom([]string{"a", "b", ""}).Draw(t, "zone"); z != "" {
		n.Labels[zone] = z
	}
	n.Status.Allocatable[corev1.ResourcePods] = *resource.NewQuantity(int64(rapid.IntRange(2, 6).Draw(t, "slots")), resource.DecimalSI)
	w.nodes[n.Name] = n
	w.e.UpsertNode(n)
}

func (w *world) addGang(t *rapid.T) {
	w.next++
	g := gang(fmt.Sprint("g", w.next), int32(rapid.IntRange(0, 4).Draw(t, "quorum")))
	if rapid.Bool().Draw(t, "constrained") {
		inOne(zone)(g)
	}
	if rapid.Bool().Draw(t, "child") {
		under(rapid.SampledFrom(topNames).Draw(t, "parent"))(g)
	}
	kinds := []func(*corev1.Pod){drawSmall(t, w.rules), drawSmall(t, w.rules)}
	tell := func() { w.groups[g.Name] = g; w.e.UpsertGroup(g) }
	if first := rapid.Bool().Draw(t, "group first"); first {
		tell()
	} else {
		defer tell()
	}
	for range rapid.IntRange(0, 5).Draw(t, "members") {
		w.addPod(t, g.Name, rapid.SampledFrom(kinds).Draw(t, "kind"))
	}
}

// topNames are few, so that composites get several children, become parents of each other, and come after their children.
var topNames = []string{"top0", "top1", "top2"}

// toggleTop creates a composite of that name, or deletes it.
func (w *world) toggleTop(t *rapid.T) {
	name := rapid.SampledFrom(topNames).Draw(t, "top")
	if w.tops[name] != nil {
		delete(w.tops, name)
		w.e.DeleteComposite(engine.Key{Namespace: ns, Name: name})
		return
	}
	key := rapid.SampledFrom([]string{"", zone}).Draw(t, "key")
	parent := rapid.SampledFrom(append([]string{"", "", ""}, topNames...)).Draw(t, "parent")
	w.tops[name] = composite(name, int32(rapid.IntRange(0, 2).Draw(t, "children")), key, parent)
	w.e.UpsertComposite(w.tops[name])
}

func (w *world) addPod(t *rapid.T, group string, shape func(*corev1.Pod)) {
	w.next++
	p := pod(fmt.Sprint("p", w.next), group, 0, 0, shape)
	w.pods[p.Name] = p
	w.e.UpsertPod(p)
}

func drawSmall(t *rapid.T, rules bool) func(*corev1.Pod) {
	p := drawPod(t, map[bool]string{false: "plain", true: "all"}[rules], "x", "")
	p.Spec.TopologySpreadConstraints = nil // the pods of a history come and go: spread is not held by what is bound
	if a := p.Spec.Affinity; a != nil {
		a.PodAffinity = nil // likewise
	}
	return func(q *corev1.Pod) {
		group := q.Spec.SchedulingGroup
		q.Labels, q.Spec = p.Labels, *p.Spec.DeepCopy()
		q.Spec.SchedulingGroup = group
	}
}

func (w *world) on(node string) []*corev1.Pod {
	var out []*corev1.Pod
	for _, name := range slices.Sorted(maps.Keys(w.pods)) {
		if w.pods[name].Spec.NodeName == node {
			out = append(out, w.pods[name])
		}
	}
	return out
}

// fresh is an engine that is told the present state, in another order, and decides otherwise between equal domains.
func (w *world) fresh() *engine.Engine {
	e := engine.New(engine.Options{})
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(w.pods))) {
		e.UpsertPod(w.pods[name])
	}
	for _, name := range slices.Sorted(maps.Keys(w.tops)) {
		e.UpsertComposite(w.tops[name])
	}
	for _, name := range slices.Sorted(maps.Keys(w.groups)) {
		e.UpsertGroup(w.groups[name])
	}
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(w.nodes))) {
		e.UpsertNode(w.nodes[name])
	}
	return e
}

// excuse marks a gang that may be bound in part without ever having met its quorum: the quorum was changed, a member was
// lost, or a bind failed.
func excuse(g *schedulingv1beta1.PodGroup) { g.Annotations = map[string]string{"excused": ""} }

func (w *world) excuseGroupOf(p *corev1.Pod) {
	if sg := p.Spec.SchedulingGroup; sg != nil && w.groups[*sg.PodGroupName] != nil {
		excuse(w.groups[*sg.PodGroupName])
	}
}

func (w *world) remove(p *corev1.Pod) {
	w.excuseGroupOf(p)
	delete(w.pods, p.Name)
	w.e.DeletePod(engine.Key{Namespace: ns, Name: p.Name})
}
