package history

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestGaps(t *testing.T) {
	drop := func(tp *tape, i int) { tp.events = slices.Delete(tp.events, i, i+1) }
	renumber := func(tp *tape) {
		for i := range tp.events {
			tp.events[i].Seq = int64(i + 1)
		}
	}
	broke := func(tp *tape) {
		tp.put(Event{Stream: "watch:pods", Origin: Watch, Verb: VerbError, Version: "v1", Resource: "pods", Name: "410 Gone"}, nil)
	}
	for _, c := range []struct {
		name string
		tell func(tp *tape)
		// want is what each gap's reason contains, after its resource.
		want []string
	}{
		{"a complete record", func(tp *tape) {
			tp.origin = List
			tp.pod("a")
			tp.sync("", "pods", List)
			tp.origin = Watch
			tp.pod("a", on("n"))
			tp.pod("b")
			tp.podGone("a")
			tp.close()
		}, nil},
		{"without closing lists", func(tp *tape) { tp.pod("a"); tp.node("n", "p") },
			[]string{"nodes: without a closing list", "pods: without a closing list"}},
		{"one stream closed, one cut off", func(tp *tape) { tp.pod("a"); tp.node("n", "p"); tp.sync("", "pods", Closing) },
			[]string{"nodes: without a closing list"}},
		{"a line is missing", func(tp *tape) { tp.pod("a"); tp.mark("m"); tp.pod("b"); tp.close(); drop(tp, 1) },
			[]string{": events 2 to 2 are missing"}},
		{"an event was lost and nobody saw it", func(tp *tape) { tp.pod("a"); tp.pod("a", on("n")); tp.close(); drop(tp, 1); renumber(tp) },
			[]string{"pods: is listed with resource version"}},
		{"a creation was lost", func(tp *tape) { tp.pod("a"); tp.pod("b"); tp.close(); drop(tp, 1); renumber(tp) },
			[]string{"pods: no event tells of it"}},
		{"a deletion was lost", func(tp *tape) { tp.pod("a"); tp.podGone("a"); tp.close(); drop(tp, 1); renumber(tp) },
			[]string{"pods: no event tells of their end"}},
		{"the watch broke and was listed again", func(tp *tape) {
			tp.pod("a")
			broke(tp)
			tp.origin = Relist
			tp.pod("b")
			tp.sync("", "pods", Relist)
			tp.origin = Watch
			tp.close()
		}, []string{"pods: 410 Gone"}},
		{"the watch broke and was never listed again", func(tp *tape) { tp.pod("a"); broke(tp) },
			[]string{"pods: 410 Gone", "pods: without a closing list"}},
		{"errors in a row are one gap", func(tp *tape) { tp.pod("a"); broke(tp); broke(tp); tp.sync("", "pods", Relist); tp.close() },
			[]string{"pods: 410 Gone"}},
		{"listed again without an error", func(tp *tape) {
			tp.pod("a")
			tp.origin = Relist
			tp.pod("b")
			tp.sync("", "pods", Relist)
			tp.origin = Watch
			tp.close()
		}, []string{"pods: listed again"}},
		{"a closing list that is no list", func(tp *tape) {
			tp.pod("a")
			tp.put(Event{Stream: "watch:pods", Origin: Closing, Verb: VerbSync, Version: "v1", Resource: "pods", Object: []byte(`{}`)}, nil)
		}, []string{"pods: cannot be read"}},
		{"an event younger than the list is no difference", func(tp *tape) {
			a := tp.pod("a")
			b := tp.pod("b")
			at := tp.rv
			tp.pod("a", on("n")) // younger
			tp.pod("c")          // younger
			tp.podGone("b")      // younger
			tp.syncOf("", "pods", Closing, at, ListedObject{a.UID, a.RV}, ListedObject{b.UID, b.RV})
		}, nil},
		{"a slice lacks numbers on purpose", func(tp *tape) {
			tp.pod("a")
			tp.mark("m")
			tp.pod("b")
			tp.close()
			drop(tp, 1)
			tp.header.Slice = "s"
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			tp := newTape(t, SingleEtcd)
			c.tell(tp)
			got := tp.view(Scope{}).Gaps
			if len(got) != len(c.want) {
				t.Fatalf("gaps %+v, want %d", got, len(c.want))
			}
			for i, g := range got {
				resource, why, _ := strings.Cut(c.want[i], ": ")
				if g.Resource != resource || !strings.Contains(g.Why, why) {
					t.Errorf("gap %q of %q, want %q", g.Why, g.Resource, c.want[i])
				}
			}
		})
	}
}

// Whichever single line is lost, there is a gap; and there is none where none is lost.
func TestLostLineIsSeen(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tp := newTape(t, SingleEtcd)
		for i := range rapid.IntRange(1, 15).Draw(rt, "events") {
			name := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "pod")
			if tp.pods[name] != nil && rapid.Bool().Draw(rt, "end") {
				tp.podGone(name)
				continue
			}
			tp.pod(name, refused("Unschedulable", string(rune('a'+i))))
		}
		tp.close()
		if gaps := tp.view(Scope{}).Gaps; len(gaps) > 0 {
			rt.Fatalf("a complete record has gaps: %+v", gaps)
		}
		lost := rapid.IntRange(0, len(tp.events)-1).Draw(rt, "lost")
		if e := tp.events[lost]; e.Verb == VerbSync && e.Resource != "pods" {
			return // a stream of which nothing is left is not known to exist
		}
		tp.events = slices.Delete(tp.events, lost, lost+1)
		for i := range tp.events {
			tp.events[i].Seq = int64(i + 1) // the numbers do not give it away
		}
		if gaps := tp.view(Scope{}).Gaps; len(gaps) == 0 && !recovered(tp.events) {
			rt.Fatalf("event %d was lost and there is no gap", lost+1)
		}
	})
}

// recovered: what was lost was overtaken by the object's own end, or by a later whole form, so that the fold is right
// again. That loss cannot be seen without numbers.
func recovered(events []Event) bool {
	f := NewFolder(&Header{})
	for _, e := range events {
		if _, err := f.Fold(e); err != nil {
			return false
		}
	}
	return true
}

func TestGapsTouchingAView(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	gap := func() {
		tp.put(Event{Stream: "watch:pods", Origin: Watch, Verb: VerbError, Version: "v1", Resource: "pods", Name: "410"}, nil)
		tp.sync("", "pods", Relist)
	}
	run := func(scenario string, inside func()) Scope {
		s := Scope{Scenario: scenario, Namespaces: []string{"ns-" + scenario}}
		tp.begin(s)
		inside()
		tp.act(VerbEnd, Event{}, Action{Scenario: scenario})
		tp.pod("ns/other-" + scenario)
		return s
	}
	tp.pod("a")
	before := run("before", func() { tp.pod("b") })
	hit := run("hit", func() { gap() })
	after := run("after", func() { tp.pod("c") })
	last := run("last", func() { tp.pod("d") })
	tp.close()
	tp.events = tp.events[:len(tp.events)-3] // cut off
	for _, c := range []struct {
		scope Scope
		want  int
	}{{before, 0}, {hit, 1}, {after, 0}, {last, 0}, {Scope{}, 2}} {
		v := tp.view(c.scope)
		if len(v.Gaps) != c.want {
			t.Errorf("%q has gaps %+v, want %d", c.scope.Scenario, v.Gaps, c.want)
		}
		if got := len(v.GapsIn("nodes")); got != 0 {
			t.Errorf("%q has %d gaps in nodes", c.scope.Scenario, got)
		}
		if got := len(v.GapsIn("nodes", "pods")); got != c.want {
			t.Errorf("%q has %d gaps in nodes and pods, want %d", c.scope.Scenario, got, c.want)
		}
	}
}

// A scenario that has no end is touched by the record's.
func TestCutShort(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	tp.begin(scopeS())
	tp.pod("a")
	v := tp.view(scopeS())
	if len(v.Gaps) == 0 || !v.End.IsZero() {
		t.Errorf("gaps %v, end %v", v.Gaps, v.End)
	}
}
