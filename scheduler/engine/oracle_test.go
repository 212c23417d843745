package engine_test

import (
	"errors"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"muster/scheduler/engine"
	"muster/suites/oracle"
)

// TestAgainstOracle draws small clusters and gangs and holds the answer against the oracle's: a gang is placed exactly
// if its quorum fits, and what is placed could be placed in some order.
func TestAgainstOracle(t *testing.T) {
	for _, rules := range []string{"plain", "ports", "anti", "all"} {
		t.Run(rules, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { againstOracle(t, rules) })
		})
	}
}

func againstOracle(t *rapid.T, rules string) {
	q := drawCluster(t, rules)
	quorum := rapid.IntRange(1, len(q.Pods)).Draw(t, "quorum")
	e := engine.New(engine.Options{Seed: rapid.Uint64().Draw(t, "seed")})
	load(e, q)
	g := gang("g", int32(quorum))
	if q.TopologyKey != "" {
		inOne(q.TopologyKey)(g)
	}
	e.UpsertGroup(g)
	for _, i := range rapid.Permutation(indices(len(q.Pods))).Draw(t, "order") {
		e.UpsertPod(q.Pods[i])
	}
	d := e.Solve(root(engine.KindPodGroup, "g"))
	fits, err := q.Feasible(quorum)
	if errors.Is(err, oracle.ErrTooBig) {
		t.Skip("too big for the oracle")
	}
	if err != nil {
		t.Fatalf("asking the oracle: %v", err)
	}
	if fits != (d.Outcome == engine.Placed) {
		t.Fatalf("quorum %d of %d: the oracle says %v, the engine %s (%s)\n%s", quorum, len(q.Pods), fits, d.Outcome, d.Reason, describe(q))
	}
	if d.Outcome != engine.Placed && len(d.Placements) > 0 || d.Outcome == engine.Placed && len(d.Placements) < quorum {
		t.Fatalf("%s with %d placements, quorum %d\n%s", d.Outcome, len(d.Placements), quorum, describe(q))
	}
	checkLegal(t, q, d)
	again := e.Solve(root(engine.KindPodGroup, "g"))
	if fmt.Sprint(d) != fmt.Sprint(again) {
		t.Fatalf("asked twice:\n%v\n%v", d, again)
	}
}

// TestSameCallsSameAnswers makes the same calls twice.
func TestSameCallsSameAnswers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawCluster(t, "all")
		seed := rapid.Uint64().Draw(t, "seed")
		var first string
		for range 4 {
			e := engine.New(engine.Options{Seed: seed})
			load(e, q)
			e.UpsertGroup(gang("g", int32(max(1, len(q.Pods)/2)), inOne(zone)))
			for _, p := range q.Pods {
				e.UpsertPod(p)
			}
			var answer string
			for _, r := range e.Woken() {
				answer += fmt.Sprintf("%+v %+v", e.Solve(r), e.Explain(r))
			}
			if first == "" {
				first = answer
			}
			if answer != first {
				t.Fatalf("told the same twice:\n%s\n%s", first, answer)
			}
		}
	})
}

// checkLegal asks the oracle whether the placements can be reached, by giving every node a resource of its own that the
// pods placed there ask for.
func checkLegal(t *rapid.T, q oracle.Question, d engine.Decision) {
	pinned := q
	pinned.Nodes, pinned.Pods, pinned.Domain = nil, nil, ""
	for _, n := range q.Nodes {
		n.Allocatable = n.Allocatable.DeepCopy()
		n.Allocatable[pinOf(n.Name)] = *resource.NewQuantity(1000, resource.DecimalSI)
		pinned.Nodes = append(pinned.Nodes, n)
	}
	byName := map[string]*corev1.Pod{}
	for _, p := range q.Pods {
		byName[p.Name] = p
	}
	for _, pl := range d.Placements {
		p := byName[pl.Pod.Name].DeepCopy()
		p.Spec.Containers[0].Resources.Requests[pinOf(pl.Node)] = resource.MustParse("1")
		pinned.Pods = append(pinned.Pods, p)
	}
	ok, err := pinned.Feasible(len(pinned.Pods))
	if err == nil && !ok {
		t.Fatalf("the placements are not allowed: %v\n%s", d.Placements, describe(q))
	}
}

func pinOf(node string) corev1.ResourceName { return corev1.ResourceName("pin.example.com/" + node) }

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// load tells the engine of the nodes and of what is placed.
func load(e *engine.Engine, q oracle.Question) {
	for _, n := range q.Nodes {
		obj := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name, Labels: n.Labels}}
		obj.Spec.Taints, obj.Spec.Unschedulable, obj.Status.Allocatable = n.Taints, n.Unschedulable, n.Allocatable
		e.UpsertNode(obj)
		for _, p := range n.Pods {
			p.Spec.NodeName = n.Name
			e.UpsertPod(p)
		}
	}
}

func drawCluster(t *rapid.T, rules string) oracle.Question {
	q := oracle.Question{}
	few := 4
	if rules == "all" {
		few = 3
	}
	for i := range rapid.IntRange(1, few).Draw(t, "nodes") {
		n := oracle.Node{Name: fmt.Sprint("n", i), Labels: map[string]string{corev1.LabelHostname: fmt.Sprint("n", i)}}
		if z := rapid.SampledFrom([]string{"a", "b", ""}).Draw(t, "zone"); z != "" {
			n.Labels[zone] = z
		}
		if rapid.IntRange(0, 4).Draw(t, "disk") == 0 {
			n.Labels["disk"] = "ssd"
		}
		n.Unschedulable = rapid.IntRange(0, 7).Draw(t, "cordon") == 0
		if rapid.IntRange(0, 5).Draw(t, "taint") == 0 {
			n.Taints = []corev1.Taint{{Key: "k", Value: "v", Effect: rapid.SampledFrom([]corev1.TaintEffect{
				corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute}).Draw(t, "effect")}}
		}
		n.Allocatable = corev1.ResourceList{
			corev1.ResourcePods: *resource.NewQuantity(int64(rapid.IntRange(1, 5).Draw(t, "slots")), resource.DecimalSI),
			corev1.ResourceCPU:  *resource.NewQuantity(int64(rapid.IntRange(0, 7).Draw(t, "cpu")), resource.DecimalSI),
			gpu:                 *resource.NewQuantity(int64(rapid.IntRange(0, 3).Draw(t, "gpu")), resource.DecimalSI),
		}
		for j := range rapid.IntRange(0, 1).Draw(t, "placed") {
			n.Pods = append(n.Pods, drawPod(t, rules, fmt.Sprint("old", i, j), ""))
		}
		q.Nodes = append(q.Nodes, n)
	}
	kinds := make([]*corev1.Pod, rapid.IntRange(1, 3).Draw(t, "kinds"))
	for i := range kinds {
		kinds[i] = drawPod(t, rules, fmt.Sprint("kind", i), "g")
	}
	for i := range rapid.IntRange(1, 6).Draw(t, "pods") {
		p := rapid.SampledFrom(kinds).Draw(t, "kind").DeepCopy()
		p.Name = fmt.Sprint("p", i)
		p.UID = types.UID(p.Name)
		q.Pods = append(q.Pods, p)
	}
	if rapid.IntRange(0, 2).Draw(t, "one domain") == 0 {
		q.TopologyKey = rapid.SampledFrom([]string{zone, corev1.LabelHostname}).Draw(t, "key")
	}
	return q
}

func drawPod(t *rapid.T, rules, name, group string) *corev1.Pod {
	p := pod(name, group, int64(rapid.IntRange(0, 3).Draw(t, "cores")), int64(rapid.IntRange(0, 2).Draw(t, "gpus")))
	p.Labels["app"] = rapid.SampledFrom([]string{"a", "b"}).Draw(t, "app")
	if rapid.IntRange(0, 4).Draw(t, "selector") == 0 {
		p.Spec.NodeSelector = map[string]string{"disk": "ssd"}
	}
	if rapid.IntRange(0, 2).Draw(t, "tolerates") == 0 {
		p.Spec.Tolerations = []corev1.Toleration{{Key: "k", Value: "v", Effect: corev1.TaintEffectNoSchedule}}
	}
	if rules == "ports" || rules == "all" {
		if hp := rapid.IntRange(0, 3).Draw(t, "port"); hp > 0 {
			p.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: int32(hp)}}
		}
	}
	p.Spec.Affinity = &corev1.Affinity{}
	if rules == "anti" || rules == "all" {
		p.Spec.Affinity.PodAntiAffinity = &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: drawTerms(t, "anti")}
	}
	if rules == "all" {
		p.Spec.Affinity.PodAffinity = &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: drawTerms(t, "affinity")}
		for range rapid.IntRange(0, 1).Draw(t, "spread") {
			term := drawTerm(t)
			c := corev1.TopologySpreadConstraint{
				MaxSkew: int32(rapid.IntRange(1, 2).Draw(t, "skew")), TopologyKey: term.TopologyKey,
				WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: term.LabelSelector,
			}
			if rapid.Bool().Draw(t, "min domains") {
				n := int32(2)
				c.MinDomains = &n
			}
			p.Spec.TopologySpreadConstraints = append(p.Spec.TopologySpreadConstraints, c)
		}
	}
	return p
}

func drawTerms(t *rapid.T, what string) []corev1.PodAffinityTerm {
	var out []corev1.PodAffinityTerm
	for range rapid.IntRange(0, 2).Draw(t, what) {
		out = append(out, drawTerm(t))
	}
	return out
}

func drawTerm(t *rapid.T) corev1.PodAffinityTerm {
	return corev1.PodAffinityTerm{
		TopologyKey:   rapid.SampledFrom([]string{zone, corev1.LabelHostname}).Draw(t, "term key"),
		LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": rapid.SampledFrom([]string{"a", "b"}).Draw(t, "term app")}},
	}
}

func describe(q oracle.Question) string {
	s := fmt.Sprintf("key %q\n", q.TopologyKey)
	for _, n := range q.Nodes {
		s += fmt.Sprintf("%+v\n", n)
	}
	for _, p := range q.Pods {
		s += fmt.Sprintf("%s %v %+v\n", p.Name, p.Labels, p.Spec)
	}
	return s
}
