package history

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"pgregory.net/rapid"

	"muster/workloads/dialect"
)

func TestNames(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	for _, ns := range []string{"b", "a", "z"} {
		tp.gang(ns+"/g", map[string]any{"quorum": int64(1)})
		tp.pod(ns+"/p", member("g"))
	}
	tp.pod("z/only", member("nobody"))
	two := Scope{Scenario: "s", Namespaces: []string{"b", "a"}}
	for _, c := range []struct {
		scope Scope
		name  string
		want  string // the namespace; empty: not found
	}{
		{two, "p", "b"}, {two, "a/p", "a"}, {two, "z/p", ""}, {two, "q", ""},
		{Scope{}, "p", "a"}, {Scope{}, "z/p", "z"}, {Scope{}, "q", ""},
	} {
		v := tp.view(c.scope)
		p := v.Pod(c.name)
		if got := p != nil; got != (c.want != "") || got && p.Namespace != c.want {
			t.Errorf("Pod(%q) in %v: %+v, want one of namespace %q", c.name, c.scope.Namespaces, p, c.want)
		}
	}
	v := tp.view(two)
	if g := v.Gang("a/g"); g == nil || len(v.MembersOf(g)) != 1 || v.MembersOf(g)[0].Namespace != "a" {
		t.Errorf("gang a/g %+v", g)
	}
	if got := v.Members("g"); len(got) != 1 || got[0].Namespace != "b" {
		t.Errorf("members %v", podNames(got))
	}
	if got := tp.view(Scope{}).Members("nobody"); len(got) != 1 {
		t.Errorf("members of a gang without an object: %v", podNames(got))
	}
	if v.Node("n") != nil || v.Gang("x") != nil {
		t.Error("found what is not there")
	}
}

func TestActionsOfTheDriver(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	yes, no := true, false
	tp.begin(scopeS())
	tp.mark("m")
	tp.act(VerbCreate, Event{Resource: "pods"}, Action{Label: "bad", Response: Response{Code: 422, Reason: "Invalid", Causes: []string{"spec: Required"}}})
	tp.act(VerbAwait, Event{}, Action{Label: "bound", Held: &yes})
	tp.act(VerbAwait, Event{}, Action{Label: "bad", Held: &no})
	tp.act(VerbCreate, Event{Resource: "pods"}, Action{Label: "bad", Response: Response{Code: 201}})
	tp.act(VerbMark, Event{Name: "m"}, Action{})
	tp.act(VerbMark, Event{Name: "theirs"}, Action{Scenario: "t"})
	v := tp.view(scopeS())
	if s, ok := v.Mark("m"); !ok || s.Seq != 2 {
		t.Errorf("mark at %v", s)
	}
	if _, ok := v.Mark("theirs"); ok {
		t.Error("found the mark of another scenario")
	}
	if r, ok := v.Try("bad"); !ok || r.Code != 422 || r.OK() || r.Causes[0] != "spec: Required" {
		t.Errorf("response %+v", r)
	}
	if _, ok := v.Try("bound"); ok {
		t.Error("took an await for a request")
	}
	if held, at, ok := v.Awaited("bound"); !ok || !held || at.Seq != 4 {
		t.Errorf("awaited: %t at %v", held, at)
	}
	if held, _, ok := v.Awaited("bad"); !ok || held {
		t.Error("an await in vain held")
	}
	if _, _, ok := v.Awaited("never"); ok {
		t.Error("found an await that is not there")
	}
	if n := len(v.Actions); n != 7 {
		t.Errorf("%d actions, want 7", n)
	}
}

func TestSettle(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	if got := tp.view(scopeS()).Settle(9); got != 35*time.Second {
		t.Errorf("the profile's bound for 9 is %s, want 35s", got)
	}
	own := scopeS()
	own.SettleBase = 2
	if got := tp.view(own).Settle(9); got != 2*time.Second {
		t.Errorf("the scope's bound is %s, want 2s", got)
	}
}

func TestOrderedAndNow(t *testing.T) {
	tp := newTape(t, UnknownStorage)
	tp.pod("a")
	tp.pod("b")
	v := tp.view(scopeS())
	if v.Ordered() || newTape(t, SingleEtcd).view(scopeS()).Ordered() == false {
		t.Error("Ordered is wrong")
	}
	if v.Now().Seq != 2 || !newTape(t, SingleEtcd).view(scopeS()).Now().IsZero() {
		t.Errorf("now %v", v.Now())
	}
}

func TestTimelines(t *testing.T) {
	at := func(n int64) Stamp { return Stamp{Order: n, Seq: n} }
	tl := []At[string]{{at(2), "a"}, {at(4), "b"}, {at(6), "c"}}
	var never Stamp
	for _, c := range []struct {
		from, to Stamp
		want     string
	}{
		{at(1), at(1), ""}, {at(1), at(2), "a"}, {at(2), at(2), "a"}, {at(3), at(3), "a"}, {at(3), at(5), "ab"},
		{at(4), at(9), "bc"}, {at(7), at(9), "c"}, {never, never, "abc"}, {at(5), never, "bc"}, {never, at(3), "a"},
	} {
		got := ""
		for _, a := range Between(tl, c.from, c.to) {
			got += a.Value
		}
		if got != c.want {
			t.Errorf("between %d and %d: %q, want %q", c.from.Order, c.to.Order, got, c.want)
		}
	}
	if v, ok := ValueAt(tl, at(5)); !ok || v != "b" {
		t.Errorf("at 5: %q", v)
	}
	if _, ok := ValueAt(tl, at(1)); ok {
		t.Error("a value before the first")
	}
	if v, ok := Latest(tl); !ok || v != "c" {
		t.Errorf("latest %q", v)
	}
}

// Between two places are exactly the values in force at one of the places from the one to the other.
func TestBetweenIsWhatWasInForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tl []At[int64]
		n := int64(0)
		for range rapid.IntRange(0, 6).Draw(t, "changes") {
			n += rapid.Int64Range(1, 3).Draw(t, "step")
			tl = append(tl, At[int64]{Stamp{Order: n, Seq: n}, n})
		}
		from := rapid.Int64Range(1, 20).Draw(t, "from")
		to := rapid.Int64Range(from, 20).Draw(t, "to")
		want := []int64{}
		for i := from; i <= to; i++ {
			v, ok := ValueAt(tl, Stamp{Order: i, Seq: i})
			if ok && (len(want) == 0 || want[len(want)-1] != v) {
				want = append(want, v)
			}
		}
		got := []int64{}
		for _, a := range Between(tl, Stamp{Order: from, Seq: from}, Stamp{Order: to, Seq: to}) {
			got = append(got, a.Value)
		}
		if len(got) != len(want) {
			t.Fatalf("from %d to %d of %v: %v, want %v", from, to, tl, got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("from %d to %d: %v, want %v", from, to, got, want)
			}
		}
	})
}

// theirs is a second dialect.
type theirs struct{}

func (theirs) Name() string { return "theirs" }
func (theirs) Read(obj map[string]any, gvr schema.GroupVersionResource) (dialect.Group, bool) {
	return dialect.Group{Quorum: 9}, gvr.Resource == "things"
}
func (theirs) Member(p *corev1.Pod) (string, bool) {
	return p.Annotations["gang"], p.Annotations["gang"] != ""
}

func TestSeveralDialects(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	tp.gang("g", map[string]any{"quorum": int64(2)})
	tp.object("x", "things", VerbAdded, "ns", "h", "uid-h", tp.next(), map[string]any{})
	tp.object("x", "others", VerbAdded, "ns", "i", "uid-i", tp.next(), map[string]any{})
	tp.pod("a", member("g"))
	tp.pod("b", func(p *corev1.Pod) { p.Annotations = map[string]string{"gang": "h"} })
	both := Several(toy{}, theirs{})
	v := NewView(tp.history(), both, scopeS())
	if both.Name() != "toy+theirs" || len(v.Gangs) != 2 || v.Gang("g").Dialect != "toy" || v.Gang("h").Dialect != "theirs" {
		t.Errorf("%s read %+v", both.Name(), v.Gangs)
	}
	if len(v.Members("g")) != 1 || len(v.Members("h")) != 1 {
		t.Errorf("members of g %v, of h %v", podNames(v.Members("g")), podNames(v.Members("h")))
	}
	if g, ok := both.Read(map[string]any{}, schema.GroupVersionResource{Resource: "things"}); !ok || g.Quorum != 9 {
		t.Errorf("read %+v", g)
	}
	if v := NewView(tp.history(), nil, scopeS()); len(v.Gangs) != 0 || v.Pod("a").Gang != "" {
		t.Error("gangs without a dialect")
	}
}

// The dialect muster ships reads the API's own objects.
func TestNativeDialect(t *testing.T) {
	native, err := dialect.Load(dialect.Native)
	if err != nil {
		t.Fatal(err)
	}
	tp := newTape(t, SingleEtcd)
	group := native.GangResource()
	tp.put(Event{Stream: "w", Origin: Watch, Group: group.Group, Version: group.Version, Resource: group.Resource,
		Verb: VerbAdded, Namespace: "ns", Name: "g", UID: "u", RV: tp.next()}, map[string]any{
		"metadata": map[string]any{"namespace": "ns", "name": "g", "generation": int64(1)},
		"spec":     map[string]any{"schedulingPolicy": map[string]any{"gang": map[string]any{"minCount": int64(4)}}},
	})
	name := "g"
	tp.pod("a", func(p *corev1.Pod) { p.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &name} })
	v := NewView(tp.history(), native, scopeS())
	if g := v.Gang("g"); g == nil || g.Dialect != dialect.Native || len(g.Quorum) != 1 || g.Quorum[0].Value != 4 {
		t.Fatalf("gang %+v", g)
	}
	if len(v.Members("g")) != 1 {
		t.Errorf("members %v", podNames(v.Members("g")))
	}
}

// A queue was as long as the longest of the canaries that waited in it at the time: one second a number.
func TestQueue(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	tp.begin(scopeS())
	canary := func(waited time.Duration) { tp.sample(VerbCanary, Sample{Process: ProcessScheduler, Canary: waited}) }
	canary(time.Second)     // 2: waited from 1 to 2
	canary(2 * time.Second) // 3: from 1
	tp.mark("4")
	tp.mark("5")
	canary(time.Second) // 6: from 5
	canary(time.Second) // 7: from 6
	tp.end()            // 8
	canary(time.Hour)   // 9: not known when the scenario is judged
	v := tp.view(scopeS())
	at := func(second int) Stamp { return Stamp{Seq: int64(second), Mono: time.Duration(second) * time.Second} }
	for _, tt := range []struct {
		from, to int
		want     time.Duration
	}{
		{1, 8, 2 * time.Second},
		{4, 8, time.Second},
		{2, 2, 2 * time.Second},
		{4, 4, 0},
		{8, 8, 0},
		{3, 5, 2 * time.Second},
	} {
		if got := v.Queue(at(tt.from), at(tt.to)); got != tt.want {
			t.Errorf("from %d to %d: %s, want %s", tt.from, tt.to, got, tt.want)
		}
	}
	if got := v.Queue(at(6), Stamp{}); got != time.Second {
		t.Errorf("from 6 to the end: %s, want 1s", got)
	}
	if got := newTape(t, SingleEtcd).view(scopeS()).Queue(at(1), Stamp{}); got != 0 {
		t.Errorf("without canaries: %s", got)
	}
}
