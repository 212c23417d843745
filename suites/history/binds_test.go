package history

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"
)

func TestQuorumBound(t *testing.T) {
	g := member("g")
	quorum := func(tp *tape, n int) { tp.gang("g", map[string]any{"quorum": int64(n)}) }
	for _, c := range []struct {
		name string
		tell func(tp *tape)
		want int64 // the event; 0: never
	}{
		{"no gang", func(tp *tape) { tp.pod("a", g); tp.pod("a", on("n")) }, 0},
		{"basic", func(tp *tape) { tp.gang("g", map[string]any{}); tp.pod("a", g); tp.pod("a", on("n")) }, 0},
		{"one of two", func(tp *tape) { quorum(tp, 2); tp.pod("a", g); tp.pod("a", on("n")) }, 0},
		{"two of two", func(tp *tape) {
			quorum(tp, 2)
			tp.pod("a", g)
			tp.pod("b", g)
			tp.pod("a", on("n"))
			tp.pod("b", on("n")) // 5
			tp.pod("c", g, on("n"))
		}, 5},
		{"the quorum is lowered to what is bound", func(tp *tape) {
			quorum(tp, 2)
			tp.pod("a", g, on("n"))
			quorum(tp, 1) // 3
		}, 3},
		{"the quorum is raised first", func(tp *tape) {
			quorum(tp, 1)
			quorum(tp, 2)
			tp.pod("a", g, on("n"))
			tp.pod("b", g, on("n")) // 4
		}, 4},
		{"raised later", func(tp *tape) { quorum(tp, 1); tp.pod("a", g, on("n")); quorum(tp, 2) }, 2},
		{"one finished before the other was bound", func(tp *tape) {
			quorum(tp, 2)
			tp.pod("a", g, on("n"))
			tp.pod("a", phase(corev1.PodSucceeded))
			tp.podGone("a")
			tp.pod("b", g, on("n")) // 5
		}, 5},
		{"one was deleted before the other was bound", func(tp *tape) {
			quorum(tp, 2)
			tp.pod("a", g, on("n"))
			tp.podGone("a")
			tp.pod("b", g, on("n"))
		}, 0},
		{"one finished while being deleted", func(tp *tape) {
			quorum(tp, 2)
			tp.pod("a", g, on("n"))
			tp.pod("a", deleting)
			tp.pod("a", phase(corev1.PodFailed))
			tp.pod("b", g, on("n"))
		}, 0},
		{"pods before their gang", func(tp *tape) { tp.pod("a", g, on("n")); quorum(tp, 1) }, 2},
		{"others do not count", func(tp *tape) {
			quorum(tp, 1)
			tp.pod("a", on("n"))
			tp.pod("b", member("h"), on("n"))
			tp.pod("other/c", g, on("n"))
		}, 0},
		{"not after the gang is gone", func(tp *tape) { quorum(tp, 1); tp.gangGone("g"); tp.pod("a", g, on("n")) }, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			tp := newTape(t, SingleEtcd)
			c.tell(tp)
			if got := tp.view(scopeS()).QuorumBound("g"); got.Seq != c.want {
				t.Errorf("at event %d, want %d", got.Seq, c.want)
			}
		})
	}
}

// QuorumBound is the first change of the replay at which a plain count reaches the quorum.
func TestQuorumBoundIsTheFirst(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tp := newTape(t, SingleEtcd)
		tp.node("n1", "p-real")
		tp.gang("g", map[string]any{"quorum": int64(2)})
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			randomStep(tp, rt)
		}
		v := tp.view(scopeS())
		g := v.GangsNamed("g")[0]
		got := v.QuorumBoundOf(g)
		var want Stamp
		for _, e := range tp.events {
			s := Stamp{Order: revision(e.RV) << subBits, Seq: e.Seq}
			q, ok := ValueAt(g.Quorum, s)
			if !e.isObject() || !ok || !g.Gone.IsZero() && s.After(g.Gone) {
				continue
			}
			n := int32(0)
			for _, p := range v.MembersOf(g) {
				lost := reached(p.Deleting, s) && !reached(p.Finished, p.Deleting)
				if reached(p.Bound, s) && !lost {
					n++
				}
			}
			if n >= q {
				want = s
				break
			}
		}
		if got.Seq != want.Seq {
			rt.Fatalf("at event %d, want %d", got.Seq, want.Seq)
		}
	})
}

func TestBinds(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	g := member("g")
	tp.pod("driver", g)
	tp.act(VerbBind, Event{Resource: "pods", Namespace: "ns", Name: "driver"}, Action{Node: "n", Response: Response{Code: 201}})
	tp.pod("driver", on("n"))
	for _, p := range []string{"a", "b", "c", "d"} {
		tp.pod(p, g)
	}
	none := tp.events[len(tp.events)-1].Seq
	tp.pod("a", on("n")) // first
	first := tp.rv
	tp.pod("b", on("m"))
	tp.pod("c", on("n")) // last
	last := tp.rv
	tp.mark("bound")
	tp.pod("b", phase(corev1.PodSucceeded))
	tp.pod("c", deleting)
	tp.mark("later")
	v := tp.view(scopeS())
	bound, _ := v.Mark("bound")
	if got := podNames(v.BoundAt("g", bound)); !sameJSON(t, got, []string{"ns/driver", "ns/a", "ns/b", "ns/c"}) {
		t.Errorf("bound: %v", got)
	}
	if got := v.BoundCount("g"); got != 2 {
		t.Errorf("%d bound at the end, want 2", got)
	}
	if got := len(v.BoundEver("g")); got != 4 {
		t.Errorf("%d ever bound, want 4", got)
	}
	if v.FirstBind("g").Order != first<<subBits || v.LastBind("g").Order != last<<subBits {
		t.Errorf("first bind %v, last %v", v.FirstBind("g"), v.LastBind("g"))
	}
	if !v.FirstBind("nobody").IsZero() || !v.LastBind("nobody").IsZero() {
		t.Error("a gang that is not there was bound")
	}
	if got := podNames(v.PodsOn("n", v.Now())); !sameJSON(t, got, []string{"ns/driver", "ns/a", "ns/c"}) {
		t.Errorf("on n: %v (a pod being deleted still holds its room)", got)
	}
	if got := podNames(Active(v.Members("g"), v.Now())); !sameJSON(t, got, []string{"ns/driver", "ns/a", "ns/d"}) {
		t.Errorf("active: %v", got)
	}
	if got := Active(v.Members("g"), Stamp{Order: 1, Seq: 1}); len(got) != 0 {
		t.Errorf("active before all: %v", podNames(got))
	}
	if got := len(v.BoundAt("g", Stamp{Order: (first - 1) << subBits, Seq: none})); got != 1 {
		t.Errorf("%d bound before the first bind, want the driver's", got)
	}
}
