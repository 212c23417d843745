package engine_test

import (
	"fmt"
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"muster/scheduler/engine"
)

// sameByTables: what is decided, and said, from one node of each cohort is what tables say that look at every node.
func sameByTables(t *rapid.T, e *engine.Engine, r engine.Root) {
	e.DropTables()
	x := e.Explain(r) // first: it puts the members of groups in order, which some refusals do not
	d := e.Solve(r)
	var slow engine.Decision
	var each []engine.Explanation
	e.ByTables(func() { slow, each = e.Solve(r), e.Explain(r) })
	if d.Outcome != slow.Outcome || d.Reason != slow.Reason || !reflect.DeepEqual(d.Left, slow.Left) || !reflect.DeepEqual(d.Placements, slow.Placements) {
		t.Fatalf("%s: %s (%s) with %d placements, by tables %s (%s) with %d", r, d.Outcome, d.Reason, len(d.Placements), slow.Outcome, slow.Reason, len(slow.Placements))
	}
	if !reflect.DeepEqual(x, each) {
		t.Fatalf("%s is explained by %v, node by node %v", r, x, each)
	}
}

// drawNode has few properties, so that nodes are alike, or with many labels of its own.
func drawNode(t *rapid.T, name string) *corev1.Node {
	n := node(name, int64(rapid.IntRange(2, 5).Draw(t, "cpu")), int64(rapid.IntRange(0, 2).Draw(t, "gpu")),
		rack, fmt.Sprint("r", rapid.IntRange(0, 5).Draw(t, "rack")), "model", rapid.SampledFrom([]string{"a", "b"}).Draw(t, "model"))
	switch rapid.IntRange(0, 9).Draw(t, "odd") {
	case 0:
		n.Spec.Unschedulable = true
	case 1:
		n.Spec.Taints = []corev1.Taint{{Key: "k", Value: "v", Effect: corev1.TaintEffectNoSchedule}}
	case 2:
		n.Spec.Taints = []corev1.Taint{{Key: "k", Value: "vPrefer", Effect: corev1.TaintEffectNoSchedule}}
	case 3:
		delete(n.Labels, rack)
		delete(n.Labels, "model")
	}
	return n
}

// drawSelective asks for a model, or for one node.
func drawSelective(t *rapid.T) func(*corev1.Pod) {
	kind := rapid.IntRange(0, 5).Draw(t, "selects")
	host := fmt.Sprint("n", rapid.IntRange(0, 20).Draw(t, "host"))
	return func(p *corev1.Pod) {
		required := func(term corev1.NodeSelectorTerm) {
			p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
				RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term}}}}
		}
		switch kind {
		case 0:
			p.Spec.NodeSelector = map[string]string{"model": "a"}
		case 1:
			p.Spec.NodeSelector = map[string]string{corev1.LabelHostname: host}
		case 2:
			required(corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "model", Operator: corev1.NodeSelectorOpDoesNotExist}}})
		case 3:
			required(corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{host}}}})
		case 4:
			p.Spec.Tolerations = []corev1.Toleration{{Key: "k", Value: "v", Operator: corev1.TolerationOpEqual}}
			p.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 1, HostPort: 80}}
		}
	}
}

// TestCohorts: on clusters whose nodes come, change and go, a shape that is new is answered for as by a table; gangs of
// several shapes, too.
func TestCohorts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := engine.New(engine.Options{})
		nodes := rapid.IntRange(1, 90).Draw(t, "nodes")
		if rapid.IntRange(0, 3).Draw(t, "large") > 0 {
			nodes = min(nodes, 20)
		}
		for i := range nodes {
			e.UpsertNode(drawNode(t, fmt.Sprint("n", i)))
		}
		for i := range rapid.IntRange(1, 8).Draw(t, "rounds") {
			name := fmt.Sprint("n", rapid.IntRange(0, nodes-1).Draw(t, "node"))
			switch rapid.IntRange(0, 3).Draw(t, "change") {
			case 0:
				e.DeleteNode(name)
			case 1:
				e.UpsertNode(drawNode(t, name))
			case 2:
				e.UpsertPod(pod(fmt.Sprint("old", i), "", 1, 0, bind(name), drawSelective(t)))
			}
			g := gang("g", int32(rapid.IntRange(1, 40).Draw(t, "quorum")))
			switch rapid.IntRange(0, 3).Draw(t, "key") {
			case 0:
				inOne(rack)(g)
			case 1:
				inOne(corev1.LabelHostname)(g)
			}
			e.UpsertGroup(g)
			kinds := rapid.IntRange(1, 2).Draw(t, "kinds")
			for k := range kinds {
				shape := drawSelective(t)
				cpu, gpus := int64(rapid.IntRange(1, 3).Draw(t, "cpu")), int64(rapid.IntRange(0, 1).Draw(t, "gpus"))
				for j := range rapid.IntRange(0, 25).Draw(t, "members") {
					e.UpsertPod(pod(fmt.Sprintf("p%d-%d-%d", i, k, j), "g", cpu, gpus, shape))
				}
			}
			r := root(engine.KindPodGroup, "g")
			sameByTables(t, e, r)
			if rapid.Bool().Draw(t, "carried out") {
				e.Assume(e.Solve(r).Placements)
			}
			if err := e.Check(); err != nil {
				t.Fatal(err)
			}
			e.DeleteGroup(engine.Key{Namespace: ns, Name: "g"})
			for k := range kinds {
				for j := range 25 {
					e.DeletePod(engine.Key{Namespace: ns, Name: fmt.Sprintf("p%d-%d-%d", i, k, j)})
				}
			}
		}
	})
}

// TestRefusedWithoutTables: who finds no room costs no table, neither when asked about nor while waiting for what does not
// help, and is woken by what does.
func TestRefusedWithoutTables(t *testing.T) {
	e := cluster(200)
	e.UpsertGroup(gang("g", 1700))
	members(e, "g", 1700, 8, 1)
	e.Woken()
	g := root(engine.KindPodGroup, "g")
	d := e.Solve(g)
	expect(t, d, engine.Unschedulable, 0)
	if d.Reason.Have != 1600 || d.Reason.Need != 1700 {
		t.Errorf("reason %+v", d.Reason)
	}
	for i := range 12 {
		if i == 3 {
			e.UpsertPod(pod("passes", "", 1, 0, bind("node-0")))
			e.DeletePod(engine.Key{Namespace: ns, Name: "passes"})
		}
		if w := e.Woken(); len(w) != 0 {
			t.Fatalf("woken: %v", w)
		}
	}
	if e.Tables() != 0 || e.Cohorts() != 1 {
		t.Errorf("%d tables, %d cohorts", e.Tables(), e.Cohorts())
	}
	for i := range 13 {
		e.UpsertNode(node(fmt.Sprint("more-", i), 64, 8))
	}
	if w := e.Woken(); len(w) != 1 || w[0] != g {
		t.Errorf("woken: %v", w)
	}
	expect(t, e.Solve(g), engine.Placed, 1700)
	if err := e.Check(); err != nil {
		t.Error(err)
	}
}

// TestNodesTooDifferent: where hardly two nodes are alike there are no cohorts, and tables answer.
func TestNodesTooDifferent(t *testing.T) {
	e := engine.New(engine.Options{})
	for i := range 300 {
		e.UpsertNode(node(fmt.Sprint("n", i), int64(i+1), 0))
	}
	e.UpsertPod(pod("p", "", 301, 0))
	expect(t, e.Solve(root(engine.KindPod, "p")), engine.Unschedulable, 0)
	if e.Tables() != 1 || e.Cohorts() != 0 {
		t.Errorf("%d tables, %d cohorts", e.Tables(), e.Cohorts())
	}
	for i := range 300 {
		e.UpsertNode(node(fmt.Sprint("n", i), 4, 0))
	}
	e.DropTables()
	e.UpsertPod(pod("q", "", 302, 0))
	expect(t, e.Solve(root(engine.KindPod, "q")), engine.Unschedulable, 0)
	if e.Tables() != 0 || e.Cohorts() != 1 {
		t.Errorf("alike by now: %d tables, %d cohorts", e.Tables(), e.Cohorts())
	}
}
