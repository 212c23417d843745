package history

import (
	"maps"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"
)

func TestReplay(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	tp.node("n1", "p-real")
	tp.gang("g", map[string]any{"quorum": int64(2)})
	tp.pod("a", gated, member("g"))
	tp.mark("nothing changes here")
	tp.pod("a", ungated)
	tp.pod("a", on("n1"))
	tp.pod("a", deleting)
	tp.pod("b")
	tp.pod("b", phase(corev1.PodSucceeded))
	tp.podGone("a")
	tp.gangGone("g")
	tp.nodeGone("n1")
	v := tp.view(scopeS())
	var got []map[string]string
	v.Replay(func(s *State, at Stamp) bool {
		got = append(got, stateDigest(s))
		return true
	})
	n := map[string]string{"node n1": "node-n1-101 101"}
	g := map[string]string{"gang ns/g": "gang-ns/g-102 needs 2"}
	with := func(ms ...map[string]string) map[string]string {
		out := map[string]string{}
		for _, m := range ms {
			maps.Copy(out, m)
		}
		return out
	}
	a := func(s string) map[string]string { return map[string]string{"pod a-103": s} }
	want := []map[string]string{
		n, with(n, map[string]string{"gang ns/g": "gang-g-102 needs 2"}),
		with(n, g, a(`103 on "" gated true deleting false`)),
		with(n, g, a(`104 on "" gated false deleting false`)),
		with(n, g, a(`104 on "n1" gated false deleting false`)), // the form from before the bind, on the node
		with(n, g, a(`106 on "n1" gated false deleting true`)),
		with(n, g, a(`106 on "n1" gated false deleting true`), map[string]string{"pod b-107": `107 on "" gated false deleting false`}),
		with(n, g, a(`106 on "n1" gated false deleting true`)),
		with(n, g), n, {},
	}
	for _, w := range want {
		if _, ok := w["gang ns/g"]; ok {
			w["gang ns/g"] = "gang-g-102 needs 2"
		}
	}
	if !sameJSON(t, got, want) {
		t.Errorf("states\n%v\nwant\n%v", got, want)
	}
	steps := 0
	v.Replay(func(*State, Stamp) bool { steps++; return steps < 3 })
	if steps != 3 {
		t.Errorf("%d steps after it was told to stop at 3", steps)
	}
}

// StateAt, asked at any place in any order, is the replay up to there; what it returned before stays as it was.
func TestStateAtIsAReplaysPrefix(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tp := randomTape(t, rt, rapid.SampledFrom([]Storage{SingleEtcd, UnknownStorage}).Draw(rt, "storage"))
		v := tp.view(scopeS())
		type kept struct {
			s    *State
			want map[string]string
		}
		var all []kept
		for range rapid.IntRange(1, 8).Draw(rt, "questions") {
			e := rapid.SampledFrom(tp.events).Draw(rt, "at")
			folded, _ := (&History{Header: tp.header, Events: tp.events}).fold()
			at := folded[e.Seq-1].At
			want := map[string]string{}
			v.Replay(func(s *State, now Stamp) bool {
				if now.After(at) {
					return false
				}
				want = stateDigest(s)
				return true
			})
			s := v.StateAt(at)
			if s.At != at {
				rt.Fatalf("the state says %v, asked at %v", s.At, at)
			}
			all = append(all, kept{s, want})
		}
		for _, k := range all {
			if got := stateDigest(k.s); !maps.Equal(got, k.want) {
				rt.Fatalf("at %v: %v, want %v", k.s.At, got, k.want)
			}
		}
	})
}

func BenchmarkBuild(b *testing.B) {
	tp := newTape(b, SingleEtcd)
	for i := range 2000 {
		name := "pod-" + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676))
		tp.pod(name, member("g"))
		tp.pod(name, refused("Unschedulable", "x"))
		tp.pod(name, on("n"))
		tp.pod(name, phase(corev1.PodRunning))
	}
	h := tp.history()
	b.Run("fold", func(b *testing.B) {
		for b.Loop() {
			(&History{Header: h.Header, Events: h.Events}).fold()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(h.Events)), "ns/event")
	})
	h.fold()
	b.Run("view in scope", func(b *testing.B) {
		for b.Loop() {
			NewView(h, toy{}, scopeS())
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(h.Events)), "ns/event")
	})
	b.Run("view out of scope", func(b *testing.B) {
		for b.Loop() {
			NewView(h, toy{}, Scope{Scenario: "x", Namespaces: []string{"x"}})
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(h.Events)), "ns/event")
	})
	b.Run("replay", func(b *testing.B) {
		v := NewView(h, toy{}, scopeS())
		for b.Loop() {
			v.Replay(func(*State, Stamp) bool { return true })
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(h.Events)), "ns/event")
	})
}
