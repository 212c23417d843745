package history

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// seqs of a timeline, to see which events it is made of.
func seqs[T any](tl []At[T]) []int64 {
	out := []int64{}
	for _, a := range tl {
		out = append(out, a.Stamp.Seq)
	}
	return out
}

func TestPodLife(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	tp.begin(scopeS())                                                             // 1
	tp.pod("a", gated, member("g"), refused(corev1.PodReasonSchedulingGated, "x")) // 2
	tp.pod("a", ungated)                                                           // 3
	tp.pod("a", refused("Unschedulable", "0/3"))                                   // 4
	tp.pod("a", func(p *corev1.Pod) { p.Labels["x"] = "y" })                       // 5: nothing of interest
	tp.pod("a", refused("Unschedulable", "0/2"))                                   // 6: tried again
	tp.pod("a", func(p *corev1.Pod) { p.Status.NominatedNodeName = "n1" })         // 7
	tp.pod("a", on("n1"), func(p *corev1.Pod) { p.Status.NominatedNodeName = "" }, // 8
		func(p *corev1.Pod) { p.Status.Conditions[0].Status = corev1.ConditionTrue })
	tp.pod("a", deleting)                // 9
	tp.pod("a", phase(corev1.PodFailed)) // 10
	tp.podGone("a")                      // 11
	v := tp.close().view(scopeS())
	p := v.Pod("a")
	if p == nil || len(v.Pods) != 1 {
		t.Fatalf("pods %v", v.Pods)
	}
	for name, c := range map[string]struct {
		got  Stamp
		want int64
	}{"created": {p.Created, 2}, "bound": {p.Bound, 8}, "deleting": {p.Deleting, 9}, "finished": {p.Finished, 10}, "gone": {p.Gone, 11}} {
		if c.got.Seq != c.want {
			t.Errorf("%s at event %d, want %d", name, c.got.Seq, c.want)
		}
	}
	if p.Node != "n1" || p.Gang != "g" || !p.Ours || p.ByDriver || p.BornBound || !p.ByScheduler() {
		t.Errorf("pod %+v", p)
	}
	for name, c := range map[string]struct{ got, want []int64 }{
		"gated":     {seqs(p.Gated), []int64{2, 3}},
		"nominated": {seqs(p.Nominated), []int64{7, 8}},
		"condition": {seqs(p.Conditions["PodScheduled"]), []int64{2, 4, 8}}, // the message is none of our business
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s changed at %v, want %v", name, c.got, c.want)
		}
	}
	if len(p.Rejected) != 2 || p.Rejected[0].Seq != 4 || p.Rejected[1].Seq != 6 {
		t.Errorf("rejected at %v", p.Rejected)
	}
	if p.First.Spec.NodeName != "" || p.Object.Spec.NodeName != "n1" {
		t.Error("First and Object are mixed up")
	}
}

func TestPodEndings(t *testing.T) {
	for _, c := range []struct {
		name string
		tell func(tp *tape)
		// Events of deletion, finish and end; 0: never.
		deleting, finished, gone int64
	}{
		{"stays", func(tp *tape) { tp.pod("a") }, 0, 0, 0},
		{"deleted at once", func(tp *tape) { tp.pod("a"); tp.podGone("a") }, 2, 0, 2},
		{"deleted with grace", func(tp *tape) { tp.pod("a"); tp.pod("a", deleting); tp.podGone("a") }, 2, 0, 3},
		{"succeeded", func(tp *tape) { tp.pod("a"); tp.pod("a", phase(corev1.PodSucceeded)) }, 0, 2, 0},
		{"succeeded, then removed", func(tp *tape) { tp.pod("a"); tp.pod("a", phase(corev1.PodSucceeded)); tp.podGone("a") }, 3, 2, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			tp := newTape(t, SingleEtcd)
			c.tell(tp)
			p := tp.view(Scope{}).Pods[0]
			if p.Deleting.Seq != c.deleting || p.Finished.Seq != c.finished || p.Gone.Seq != c.gone {
				t.Errorf("deleting %d, finished %d, gone %d; want %d, %d, %d", p.Deleting.Seq, p.Finished.Seq, p.Gone.Seq, c.deleting, c.finished, c.gone)
			}
		})
	}
}

func TestIncarnations(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	tp.gang("g", map[string]any{"quorum": int64(1)})
	tp.pod("a", member("g"))
	tp.podGone("a")
	tp.gangGone("g")
	tp.pod("a", member("g"), on("n"))
	tp.gang("g", map[string]any{"quorum": int64(2)})
	v := tp.view(Scope{})
	if len(v.PodsNamed("a")) != 2 || len(v.Members("g")) != 2 || len(v.GangsNamed("g")) != 2 {
		t.Fatalf("%d pods, %d members, %d gangs; want 2 of each", len(v.PodsNamed("a")), len(v.Members("g")), len(v.GangsNamed("g")))
	}
	if p := v.Pod("a"); p.Bound.IsZero() || !v.PodsNamed("a")[0].Bound.IsZero() {
		t.Error("the incarnations of the pod are mixed up")
	}
	if q, _ := Latest(v.Gang("g").Quorum); q != 2 {
		t.Errorf("the last gang's quorum is %d", q)
	}
}

func TestGangLife(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	tp.gang("g", map[string]any{"quorum": int64(3), "priority": int64(7), "topology": "rack"}) // 1
	tp.gang("g", map[string]any{"satisfied": "False"})                                         // 2
	tp.gang("g", map[string]any{"quorum": int64(2), "metadata": map[string]any{"generation": int64(2)}})
	tp.gang("g", map[string]any{"satisfied": "True"})                                                                     // 4
	tp.gang("g", map[string]any{"x": "y"})                                                                                // 5: nothing of interest
	tp.gang("g", map[string]any{"satisfied": nil, "problem": "odd"})                                                      // 6
	tp.gang("g", map[string]any{"metadata": map[string]any{"deletionTimestamp": "2026-09-01T12:00:07Z"}, "problem": nil}) // 7
	tp.gangGone("g")                                                                                                      // 8
	tp.gang("b", map[string]any{})                                                                                        // 9: basic
	v := tp.view(Scope{})
	g := v.Gang("g")
	if g.Dialect != "toy" || g.Priority != 7 || g.TopologyKey != "rack" || g.Basic {
		t.Errorf("gang %+v", g)
	}
	for name, c := range map[string]struct{ got, want []int64 }{
		"quorum":     {seqs(g.Quorum), []int64{1, 3}},
		"generation": {seqs(g.Generation), []int64{1, 3}},
		"satisfied":  {seqs(g.Satisfied), []int64{2, 4, 6}},
		"condition":  {seqs(g.Conditions["Satisfied"]), []int64{2, 4, 6}},
		"problems":   {seqs(g.Problems), []int64{6}},
		"ends":       {[]int64{g.Created.Seq, g.Deleting.Seq, g.Gone.Seq}, []int64{1, 7, 8}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s changed at %v, want %v", name, c.got, c.want)
		}
	}
	if b := v.Gang("b"); !b.Basic || len(b.Quorum) > 0 {
		t.Errorf("basic gang %+v", b)
	}
}

func TestNodeLife(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	tp.node("n", "p-real")
	tp.node("n", "p-real", func(n *corev1.Node) { n.Spec.Unschedulable = true })
	tp.nodeGone("n")
	tp.node("n", "p-real")
	tp.node("m", "other")
	v := tp.view(scopeS())
	if len(v.Nodes) != 2 {
		t.Fatalf("%d nodes in scope, want the two incarnations of n", len(v.Nodes))
	}
	first := v.Nodes[0]
	if first.Pool != "p-real" || first.Gone.Seq != 3 || len(first.Object) != 2 || !first.Object[1].Value.Spec.Unschedulable {
		t.Errorf("node %+v", first)
	}
	if got := v.Node("n"); got != v.Nodes[1] || !got.Gone.IsZero() {
		t.Errorf("Node is not the last incarnation: %+v", got)
	}
	if v.Node("m") != nil || tp.view(Scope{}).Node("m") == nil {
		t.Error("the node of another pool is in the wrong view")
	}
}

// What a relist or a second stream tells again changes nothing.
func TestToldTwice(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	tp.pod("a", gated)
	tp.pod("a", ungated)
	tp.pod("a", on("n"))
	tp.podGone("a")
	once := tp.view(Scope{}).Pods[0]
	again := append([]Event{}, tp.events...)
	for _, e := range tp.events {
		e.Stream = "second"
		e.Seq += int64(len(tp.events))
		again = append(again, e)
	}
	h := &History{Header: tp.header, Events: again}
	v := NewView(h, toy{}, Scope{})
	if len(v.Pods) != 1 || !sameJSON(t, v.Pods[0], once) {
		t.Errorf("told twice: %+v, once: %+v", v.Pods[0], once)
	}
}

func sameJSON(t testing.TB, a, b any) bool {
	t.Helper()
	x, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return string(x) == string(y)
}

func TestSamples(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	crash := func(process string) { tp.sample(VerbCrash, Sample{Process: process}) }
	for _, d := range []time.Duration{30, 10, 20} {
		tp.sample(VerbCanary, Sample{Process: "scheduler", Canary: d * time.Millisecond})
	}
	crash(ProcessScheduler) // before the scenario
	tp.begin(scopeS())
	crash("etcd")
	crash(ProcessScheduler)
	tp.sample(VerbSchedExit, Sample{Process: ProcessScheduler})
	tp.end()
	crash(ProcessScheduler) // after it
	v := tp.view(scopeS())
	if v.Canary != 20*time.Millisecond {
		t.Errorf("canary %s", v.Canary)
	}
	if len(v.Crashes) != 1 || v.Crashes[0].Stamp.Seq != 7 {
		t.Errorf("the scenario's crashes: %+v", v.Crashes)
	}
	if n := len(tp.view(Scope{}).Crashes); n != 3 {
		t.Errorf("%d crashes in all, want 3", n)
	}
}
