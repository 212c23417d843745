package engine_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"muster/scheduler/engine"
)

const (
	ns   = "team"
	rack = "rack"
	zone = "zone"
	gpu  = corev1.ResourceName("nvidia.com/gpu")
)

// node has so many cores and GPUs, 110 pods, and the labels given as key, value, key, value.
func node(name string, cpu, gpus int64, labels ...string) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name}}}
	for i := 0; i < len(labels); i += 2 {
		n.Labels[labels[i]] = labels[i+1]
	}
	n.Status.Allocatable = corev1.ResourceList{
		corev1.ResourcePods: *resource.NewQuantity(110, resource.DecimalSI),
		corev1.ResourceCPU:  *resource.NewQuantity(cpu, resource.DecimalSI),
	}
	if gpus > 0 {
		n.Status.Allocatable[gpu] = *resource.NewQuantity(gpus, resource.DecimalSI)
	}
	return n
}

// pod asks for so many cores and GPUs; group may be empty.
func pod(name, group string, cpu, gpus int64, edit ...func(*corev1.Pod)) *corev1.Pod {
	c := corev1.Container{Name: "c", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{}}}
	if cpu > 0 {
		c.Resources.Requests[corev1.ResourceCPU] = *resource.NewQuantity(cpu, resource.DecimalSI)
	}
	if gpus > 0 {
		c.Resources.Requests[gpu] = *resource.NewQuantity(gpus, resource.DecimalSI)
	}
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name, UID: types.UID("uid-" + name), Labels: map[string]string{}},
		Spec:       corev1.PodSpec{SchedulerName: "muster", Containers: []corev1.Container{c}},
	}
	if group != "" {
		p.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &group}
	}
	for _, f := range edit {
		f(p)
	}
	return p
}

// gang is a PodGroup with a quorum; a quorum of 0 makes it basic.
func gang(name string, quorum int32, edit ...func(*schedulingv1beta1.PodGroup)) *schedulingv1beta1.PodGroup {
	g := &schedulingv1beta1.PodGroup{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name, UID: types.UID("uid-" + name), Generation: 1}}
	if quorum > 0 {
		g.Spec.SchedulingPolicy.Gang = &schedulingv1beta1.GangSchedulingPolicy{MinCount: quorum}
	} else {
		g.Spec.SchedulingPolicy.Basic = &schedulingv1beta1.BasicSchedulingPolicy{}
	}
	for _, f := range edit {
		f(g)
	}
	return g
}

func inOne(key string) func(*schedulingv1beta1.PodGroup) {
	return func(g *schedulingv1beta1.PodGroup) {
		g.Spec.SchedulingConstraints = &schedulingv1beta1.PodGroupSchedulingConstraints{Topology: []schedulingv1beta1.TopologyConstraint{{Key: key}}}
	}
}

func root(kind engine.Kind, name string) engine.Root {
	return engine.Root{Kind: kind, Key: engine.Key{Namespace: ns, Name: name}}
}

// solve asks about a PodGroup and carries the answer out.
func solve(t *testing.T, e *engine.Engine, group string) engine.Decision {
	t.Helper()
	d := e.Solve(root(engine.KindPodGroup, group))
	if got := e.Assume(d.Placements); len(got) != len(d.Placements) {
		t.Fatalf("assumed %d of %d placements", len(got), len(d.Placements))
	}
	return d
}

func expect(t *testing.T, d engine.Decision, o engine.Outcome, placed int) {
	t.Helper()
	if d.Outcome != o || len(d.Placements) != placed {
		t.Fatalf("%s: %s with %d placements (%s), want %s with %d", d.Root, d.Outcome, len(d.Placements), d.Reason, o, placed)
	}
}

func members(e *engine.Engine, group string, n int, cpu, gpus int64) {
	for i := range n {
		e.UpsertPod(pod(fmt.Sprintf("%s-%d", group, i), group, cpu, gpus))
	}
}

func TestGang(t *testing.T) {
	e := engine.New(engine.Options{})
	for i := range 2 {
		e.UpsertNode(node(fmt.Sprint("n", i), 4, 0))
	}
	members(e, "g", 3, 2, 0)
	expect(t, solve(t, e, "g"), engine.Waiting, 0)
	e.UpsertGroup(gang("g", 4))
	expect(t, solve(t, e, "g"), engine.Waiting, 0)
	members(e, "g", 4, 2, 0)
	d := solve(t, e, "g")
	expect(t, d, engine.Placed, 4)
	if !d.Groups[0].Satisfied {
		t.Errorf("the group is not reported as satisfied")
	}
	e.UpsertGroup(gang("h", 2))
	members(e, "h", 2, 2, 0)
	d = solve(t, e, "h")
	expect(t, d, engine.Unschedulable, 0)
	if len(d.Left) != 2 {
		t.Errorf("%d leftovers, want 2", len(d.Left))
	}
	e.Woken()
	e.DeletePod(engine.Key{Namespace: ns, Name: "g-0"})
	if w := e.Woken(); len(w) != 0 {
		t.Errorf("room for one woke %v, which needs two", w)
	}
	e.DeletePod(engine.Key{Namespace: ns, Name: "g-1"})
	if w := e.Woken(); len(w) != 1 || w[0] != root(engine.KindPodGroup, "h") {
		t.Errorf("room for two woke %v", w)
	}
	expect(t, solve(t, e, "h"), engine.Placed, 2)
}

// TestMixedGangs has the two examples that a fixed order misses.
func TestMixedGangs(t *testing.T) {
	for _, order := range [][]int64{{30, 50}, {50, 30}} {
		e := engine.New(engine.Options{})
		e.UpsertNode(node("n53", 53, 0))
		e.UpsertNode(node("n31", 31, 0))
		e.UpsertGroup(gang("g", 2))
		for _, cpu := range order {
			e.UpsertPod(pod(fmt.Sprint("p", cpu), "g", cpu, 0))
		}
		expect(t, solve(t, e, "g"), engine.Placed, 2)
	}
	// A leader of 3 slots and four workers of 2 and 1 on hosts of 2, 4 and 3 slots: 3+2+1+1+2 = 9 of 9.
	e := engine.New(engine.Options{})
	for i, slots := range []int64{2, 4, 3} {
		e.UpsertNode(node(fmt.Sprint("h", i), slots, 0))
	}
	e.UpsertGroup(gang("l", 5))
	for i, slots := range []int64{1, 2, 3, 1, 2} {
		e.UpsertPod(pod(fmt.Sprint("w", i), "l", slots, 0))
	}
	expect(t, solve(t, e, "l"), engine.Placed, 5)
}

func TestOneDomain(t *testing.T) {
	e := engine.New(engine.Options{})
	for i := range 4 {
		e.UpsertNode(node(fmt.Sprint("n", i), 4, 0, rack, fmt.Sprint("r", i/2)))
	}
	e.UpsertNode(node("bare", 100, 0))
	e.UpsertGroup(gang("g", 9, inOne(rack)))
	members(e, "g", 9, 1, 0)
	d := solve(t, e, "g")
	expect(t, d, engine.Unschedulable, 0)
	if d.Reason.Code != engine.NoDomain || d.Reason.Have != 8 || d.Reason.Need != 9 {
		t.Errorf("reason %+v", d.Reason)
	}
	e.UpsertGroup(gang("g", 8, inOne(rack)))
	d = solve(t, e, "g")
	expect(t, d, engine.Placed, 8)
}

func deleted(p *corev1.Pod) {
	now := metav1.Now()
	p.DeletionTimestamp = &now
}
