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
		{"a change in the middle was lost and later ones were not", func(tp *tape) {
			tp.pod("a")
			tp.pod("a", on("n"))
			tp.pod("a", refused("Unschedulable", "x"))
			tp.close()
			drop(tp, 1)
			renumber(tp)
		}, []string{"pods: patches resource version 102 of ns/a"}},
		{"the last change before the end was lost", func(tp *tape) {
			tp.pod("a")
			tp.pod("a", on("n"))
			tp.podGone("a")
			tp.close()
			drop(tp, 1)
			renumber(tp)
		}, []string{"pods: patches resource version 102 of ns/a"}},
		{"a record from before patches said what they change", func(tp *tape) {
			tp.pod("a")
			tp.pod("a", on("n"))
			tp.pod("a", refused("Unschedulable", "x"))
			tp.close()
			for i := range tp.events {
				tp.events[i].Prev = ""
			}
		}, nil},
		{"a whole watch is missing", func(tp *tape) {
			for _, r := range [][2]string{{"", "pods"}, {"", "namespaces"}, {"apps", "deployments"}, {"batch", "cronjobs"}, {"example.com", "others"},
				{"resource.k8s.io", "resourceslices"}, {"resource.k8s.io", "resourceclaims"}} {
				tp.act(VerbCreate, Event{Group: r[0], Resource: r[1]}, Action{Response: Response{Code: 201}})
			}
			tp.act(VerbCreate, Event{Resource: "nodes"}, Action{Response: Response{Code: 409}})
			tp.sync("example.com", "gangs", Closing)
			tp.sync("batch", "jobs", Closing) // of batch some are recorded, which says nothing of the others
			tp.sync("resource.k8s.io", "otherclaims", Closing)
		}, []string{"others.example.com: no event of its watch", "pods: no event of its watch", "resourceclaims.resource.k8s.io: no event of its watch"}},
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
	tp.events = tp.events[:len(tp.events)-3] // cut off: the list after the break is the last that confirms anything
	for _, c := range []struct {
		scope Scope
		want  int
	}{{before, 0}, {hit, 2}, {after, 1}, {last, 1}, {Scope{}, 2}} {
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

// Cutting the closing lists off makes nothing of the record certain, however long before its end a scenario ended.
func TestCutOffBehindEveryScenario(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	tp.origin = List
	tp.sync("", "pods", List)
	tp.sync("", "nodes", List)
	tp.origin = Watch
	var scopes []Scope
	for _, name := range []string{"first", "second"} {
		s := Scope{Scenario: name, Namespaces: []string{"ns"}}
		tp.begin(s)
		tp.pod("ns/" + name)
		tp.node("n-"+name, "p")
		tp.act(VerbEnd, Event{}, Action{Scenario: name})
		scopes = append(scopes, s)
	}
	tp.close()
	for _, s := range scopes {
		if v := NewView(tp.history().Slice(s), toy{}, s); len(v.Gaps) > 0 {
			t.Errorf("a slice of the complete record for %q has gaps %+v", s.Scenario, v.Gaps)
		}
	}
	tp.events = tp.events[:len(tp.events)-3]
	for _, s := range scopes {
		for of, h := range map[string]*History{"the record": tp.history(), "its slice": tp.history().Slice(s)} {
			v := NewView(h, toy{}, s)
			if len(v.GapsIn("pods")) != 1 || len(v.GapsIn("nodes")) != 1 {
				t.Errorf("%q in %s has gaps %+v, want one of pods and one of nodes", s.Scenario, of, v.Gaps)
			}
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
