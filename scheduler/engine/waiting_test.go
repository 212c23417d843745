package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"muster/scheduler/engine"
)

func TestAssumeAndForget(t *testing.T) {
	e := engine.New(engine.Options{})
	e.UpsertNode(node("n", 2, 0))
	e.UpsertGroup(gang("g", 2))
	members(e, "g", 2, 1, 0)
	d := solve(t, e, "g")
	if again := e.Solve(root(engine.KindPodGroup, "g")); again.Outcome != engine.Idle {
		t.Errorf("asked again: %s", again.Outcome)
	}
	if got := e.Assume(d.Placements); len(got) != 0 {
		t.Errorf("assumed %v twice", got)
	}
	members(e, "g", 2, 1, 0) // an update that was on its way before the bind
	e.UpsertPod(pod("g-0", "g", 1, 0, bind("n")))
	e.Forget(d.Placements[0].Pod) // too late: it is bound
	e.Woken()
	e.Forget(d.Placements[1].Pod)
	if w := e.Woken(); len(w) != 1 {
		t.Errorf("a failed bind woke %v", w)
	}
	if d = solve(t, e, "g"); len(d.Placements) != 1 || d.Placements[0].Pod.Name != "g-1" {
		t.Errorf("after a failed bind: %+v", d)
	}
	e.UpsertPod(pod("g-1", "g", 1, 0, bind("other"))) // somebody else bound it elsewhere
	e.UpsertPod(pod("x", "", 1, 0))
	if d := e.Solve(root(engine.KindPod, "x")); d.Outcome != engine.Placed {
		t.Errorf("the room it did not take is not free: %s", d.Reason)
	}
	e.DeletePod(engine.Key{Namespace: ns, Name: "g-0"})
	e.UpsertPod(pod("g-0", "g", 1, 0, func(p *corev1.Pod) { p.UID = "another" }))
	e.Forget(d.Placements[0].Pod)
	if err := e.Check(); err != nil {
		t.Error(err)
	}
}

// People write cores and gibibytes, and are answered in them.
func TestAmountsAreAsManifestsHaveThem(t *testing.T) {
	for name, tt := range map[corev1.ResourceName]struct{ asked, want string }{
		corev1.ResourceCPU: {"500", "(500 asked, at most 1500m free)"}, corev1.ResourceMemory: {"9000Gi", "(9000Gi asked, at most 8Gi free)"},
		"example.com/x": {"3000", "(3000 asked, at most 2000 free)"},
	} {
		e := engine.New(engine.Options{})
		n := node("n", 0, 0)
		n.Status.Allocatable[corev1.ResourceCPU] = resource.MustParse("1500m")
		n.Status.Allocatable[corev1.ResourceMemory] = resource.MustParse("8Gi")
		n.Status.Allocatable["example.com/x"] = resource.MustParse("2k")
		e.UpsertNode(n)
		p := pod("p", "", 0, 0)
		p.Spec.Containers[0].Resources.Requests = corev1.ResourceList{name: resource.MustParse(tt.asked)}
		e.UpsertPod(p)
		d := e.Solve(root(engine.KindPod, "p"))
		expect(t, d, engine.Unschedulable, 0)
		if why := e.Explain(d.Root)[0].String(); !strings.Contains(why, "too little "+string(name)+" "+tt.want) {
			t.Errorf("%s; want %s", why, tt.want)
		}
	}
}

// Members beyond a quorum that stands may wait for ever, and close no node to anybody meanwhile; those of a quorum do.
func TestNothingIsKeptForMembersBeyondTheQuorum(t *testing.T) {
	e := engine.New(engine.Options{})
	for i := range 3 {
		e.UpsertNode(node(fmt.Sprint("n", i), 4, 0, rack, fmt.Sprint("r", i/2)))
	}
	e.UpsertPod(pod("old", "", 4, 0, bind("n1")))
	e.UpsertPod(pod("other", "", 4, 0, bind("n2")))
	e.UpsertGroup(gang("g", 1, inOne(rack)))
	members(e, "g", 2, 4, 0)
	g := root(engine.KindPodGroup, "g")
	d := e.Solve(g)
	expect(t, d, engine.Placed, 1)
	e.Assume(d.Placements)
	if nodes, ok := e.Reserve(g); ok || len(nodes) > 0 {
		t.Errorf("kept %v for a member beyond the quorum", nodes)
	}
	e.UpsertGroup(gang("h", 1, inOne(rack)))
	members(e, "h", 1, 4, 0)
	if nodes, ok := e.Reserve(root(engine.KindPodGroup, "h")); !ok || len(nodes) != 1 {
		t.Errorf("kept %v, %v for a gang without its quorum", nodes, ok)
	}
	if err := e.Check(); err != nil {
		t.Error(err)
	}
}

// Room that is kept is closed to equals, and open to a higher priority: one that found it closed would evict somebody while it
// stands empty. It is woken by what comes free there, which no table shows.
func TestKeptRoomIsOpenToAHigherPriority(t *testing.T) {
	e := engine.New(engine.Options{})
	for i := range 2 {
		e.UpsertNode(node(fmt.Sprint("n", i), 4, 0, rack, "r"))
		e.UpsertPod(pod(fmt.Sprint("old", i), "", 4, 0, bind(fmt.Sprint("n", i))))
	}
	e.UpsertGroup(gang("big", 2, inOne(rack)))
	members(e, "big", 2, 4, 0)
	big, equal, above := root(engine.KindPodGroup, "big"), root(engine.KindPod, "equal"), root(engine.KindPod, "above")
	if nodes, ok := e.Reserve(big); !ok || len(nodes) != 2 {
		t.Fatalf("kept %v, %v", nodes, ok)
	}
	e.UpsertPod(pod("equal", "", 1, 0))
	e.UpsertPod(pod("above", "", 1, 0, func(p *corev1.Pod) {
		one, never := int32(1), corev1.PreemptNever
		p.Spec.Priority, p.Spec.PreemptionPolicy = &one, &never
	}))
	for _, r := range []engine.Root{equal, above, big} {
		expect(t, e.Solve(r), engine.Unschedulable, 0)
	}
	e.Woken()
	e.DeletePod(engine.Key{Namespace: ns, Name: "old0"})
	if w := e.Woken(); !slices.Contains(w, above) || !slices.Contains(w, big) || slices.Contains(w, equal) {
		t.Errorf("woken: %v", w)
	}
	expect(t, e.Solve(equal), engine.Unschedulable, 0)
	expect(t, e.Solve(above), engine.Placed, 1)
	if err := e.Check(); err != nil {
		t.Error(err)
	}
	for _, x := range e.Explain(equal) {
		if x.Kept != 2 {
			t.Errorf("%s", x)
		}
	}
}

func TestReserve(t *testing.T) {
	e := engine.New(engine.Options{})
	for i := range 4 {
		e.UpsertNode(node(fmt.Sprint("n", i), 4, 0, rack, fmt.Sprint("r", i/2)))
		e.UpsertPod(pod(fmt.Sprint("old", i), "", 3, 0, bind(fmt.Sprint("n", i))))
	}
	e.UpsertGroup(gang("big", 2, inOne(rack)))
	members(e, "big", 2, 4, 0)
	e.UpsertGroup(gang("huge", 3, inOne(rack)))
	members(e, "huge", 3, 4, 0)
	big, huge := root(engine.KindPodGroup, "big"), root(engine.KindPodGroup, "huge")
	if nodes, ok := e.Reserve(huge); ok || len(nodes) > 0 {
		t.Errorf("kept %v for what fits no rack", nodes)
	}
	expect(t, e.Solve(big), engine.Unschedulable, 0)
	e.UpsertPod(pod("late", "", 4, 0))
	expect(t, e.Solve(root(engine.KindPod, "late")), engine.Unschedulable, 0)
	e.Woken()
	nodes, ok := e.Reserve(big)
	if w := e.Woken(); len(w) != 0 {
		t.Errorf("imagining an empty cluster woke %v", w)
	}
	if !ok || len(nodes) != 2 {
		t.Fatalf("kept %v, %v", nodes, ok)
	}
	if err := e.Check(); err != nil {
		t.Fatal(err)
	}
	for i := range 4 { // the others backfill beside it only
		e.UpsertPod(pod(fmt.Sprint("small", i), "", 1, 0))
		d := e.Solve(root(engine.KindPod, fmt.Sprint("small", i)))
		e.Assume(d.Placements)
		if want := i < 2; want != (d.Outcome == engine.Placed) {
			t.Errorf("small pod %d: %s", i, d.Outcome)
		}
		if len(d.Placements) == 1 && (d.Placements[0].Node == nodes[0] || d.Placements[0].Node == nodes[1]) {
			t.Errorf("small pod %d took %s", i, d.Placements[0].Node)
		}
	}
	expect(t, e.Solve(big), engine.Unschedulable, 0)
	e.Woken()
	for i := range 4 {
		for _, n := range nodes {
			if n == fmt.Sprint("n", i) {
				e.DeletePod(engine.Key{Namespace: ns, Name: fmt.Sprint("old", i)})
			}
		}
	}
	found := false
	for _, r := range e.Woken() {
		found = found || r == big
	}
	if !found {
		t.Error("the room kept came free, and the root was not woken")
	}
	d := e.Solve(big)
	expect(t, d, engine.Placed, 2)
	e.Assume(d.Placements)
	e.Release(big)
	if err := e.Check(); err != nil {
		t.Error(err)
	}
}

func TestExplain(t *testing.T) {
	e := engine.New(engine.Options{})
	for i := range 6 {
		n := node(fmt.Sprint("n", i), 4, 8)
		switch i {
		case 0:
			n.Spec.Unschedulable = true
		case 1:
			n.Spec.Taints = []corev1.Taint{{Key: "k", Effect: corev1.TaintEffectNoSchedule}}
		case 2:
			n.Labels["disk"] = "none"
		}
		e.UpsertNode(n)
	}
	e.UpsertPod(pod("x", "", 1, 6, bind("n3")))
	e.UpsertPod(pod("y", "", 1, 5, bind("n4")))
	e.UpsertGroup(gang("g", 2))
	for i := range 2 {
		e.UpsertPod(pod(fmt.Sprint("p", i), "g", 1, 8, func(p *corev1.Pod) {
			p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
				NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "disk", Operator: corev1.NodeSelectorOpDoesNotExist}}}}}}}
		}))
	}
	d := e.Solve(root(engine.KindPodGroup, "g"))
	if d.Reason.Code != engine.NoRoom || d.Reason.Have != 1 || d.Reason.Need != 2 {
		t.Errorf("reason %+v", d.Reason)
	}
	x := e.Explain(root(engine.KindPodGroup, "g"))
	if len(x) != 1 || x[0].Pods != 2 || x[0].Copies != 1 || x[0].Cordoned != 1 || x[0].Tainted != 1 || x[0].Unselected != 1 ||
		len(x[0].Short) != 1 || x[0].Short[0] != (engine.Short{Resource: gpu, Asked: 8, Nodes: 2, Most: 3}) {
		t.Fatalf("%+v", x)
	}
	if s := x[0].String(); !strings.Contains(s, "2 nodes have too little nvidia.com/gpu (8 asked, at most 3 free)") {
		t.Error(s)
	}
}

// TestWaiterWokenByAffinity: the pod that another wants to be near is placed.
func TestWaiterWokenByAffinity(t *testing.T) {
	e := engine.New(engine.Options{})
	e.UpsertNode(node("n", 4, 0))
	e.UpsertPod(pod("p", "", 1, 0, near("web", 0)))
	e.Woken()
	expect(t, e.Solve(root(engine.KindPod, "p")), engine.Unschedulable, 0)
	e.UpsertPod(pod("web", "", 1, 0, app("web"), bind("n")))
	if w := e.Woken(); len(w) != 1 || w[0].Name != "p" {
		t.Errorf("woken: %v", w)
	}
	expect(t, e.Solve(root(engine.KindPod, "p")), engine.Placed, 1)
}

func TestInfo(t *testing.T) {
	e := engine.New(engine.Options{})
	if _, ok := e.Info(root(engine.KindPodGroup, "g")); ok {
		t.Error("a root that is not known has something pending")
	}
	if d := e.Solve(root(engine.KindPodGroup, "g")); d.Outcome != engine.Idle {
		t.Errorf("a root that is not known: %s", d.Outcome)
	}
	e.UpsertPod(pod("p0", "g", 1, 0, priority(7)))
	e.UpsertPod(pod("p1", "g", 1, 0, gate))
	info, ok := e.Info(root(engine.KindPodGroup, "g"))
	if !ok || info.Priority != 7 || info.Pending != 1 || info.Gated != 1 || !slices.Equal(info.Schedulers, []string{"muster"}) {
		t.Errorf("%+v", info)
	}
}

// TestNothingPilesUp: keys that were asked about once, and host names of nodes that are gone, are not kept for ever.
func TestNothingPilesUp(t *testing.T) {
	e := engine.New(engine.Options{})
	e.UpsertGroup(gang("stays", 1, inOne(corev1.LabelHostname)))
	members(e, "stays", 1, 1, 0)
	for i := range 1000 {
		name := fmt.Sprint("n", i)
		e.UpsertNode(node(name, 4, 0, fmt.Sprint("key", i), "v"))
		e.UpsertGroup(gang("passes", 1, inOne(fmt.Sprint("key", i))))
		members(e, "passes", 1, 1, 0)
		expect(t, e.Solve(root(engine.KindPodGroup, "passes")), engine.Placed, 1)
		expect(t, e.Solve(root(engine.KindPodGroup, "stays")), engine.Placed, 1)
		e.DeletePod(engine.Key{Namespace: ns, Name: "passes-0"})
		e.DeleteGroup(engine.Key{Namespace: ns, Name: "passes"})
		e.DeleteNode(name)
		if i%100 == 0 {
			if err := e.Check(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if keys, domains := e.Kept(corev1.LabelHostname); keys > 70 || domains > 2 {
		t.Errorf("%d keys and %d host names are kept", keys, domains)
	}
}
