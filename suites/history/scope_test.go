package history

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func podNames(pods []*Pod) []string {
	out := []string{}
	for _, p := range pods {
		out = append(out, p.Namespace+"/"+p.Name)
	}
	return out
}

func TestScope(t *testing.T) {
	for _, c := range []struct {
		name string
		tell func(tp *tape)
		want []string
	}{
		{"its namespaces", func(tp *tape) { tp.pod("a"); tp.pod("other/b") }, []string{"ns/a"}},
		{"a pod from outside on a node of its pool", func(tp *tape) {
			tp.node("n", "p-real")
			tp.pod("a")
			tp.pod("other/b")
			tp.pod("other/b", on("n"))
		}, []string{"ns/a", "other/b"}},
		{"in order of creation, not of entry", func(tp *tape) {
			tp.node("n", "p-real")
			tp.pod("other/b")
			tp.pod("a")
			tp.pod("other/b", on("n"))
		}, []string{"other/b", "ns/a"}},
		{"a pod from outside, told of before its node", func(tp *tape) {
			tp.pod("other/b", on("n"))
			tp.node("n", "p-real")
		}, []string{"other/b"}},
		{"a pod from outside on another pool's node", func(tp *tape) {
			tp.node("n", "else")
			tp.pod("other/b", on("n"))
		}, []string{}},
		{"a node that is given to its pool later", func(tp *tape) {
			tp.node("n", "else")
			tp.pod("other/b", on("n"))
			tp.node("n", "p-real")
		}, []string{"other/b"}},
		{"a pod from outside that was gone before its node was told of", func(tp *tape) {
			tp.pod("other/b", on("n"))
			tp.podGone("other/b")
			tp.node("n", "p-real")
		}, []string{"other/b"}},
		{"a pod from outside that was never bound", func(tp *tape) {
			tp.node("n", "p-real")
			tp.pod("other/b")
			tp.podGone("other/b")
		}, []string{}},
		{"nothing after its end", func(tp *tape) { tp.begin(scopeS()); tp.pod("a"); tp.end(); tp.pod("b") }, []string{"ns/a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tp := newTape(t, SingleEtcd)
			c.tell(tp)
			got := podNames(tp.view(scopeS()).Pods)
			if !sameJSON(t, got, c.want) {
				t.Errorf("pods %v, want %v", got, c.want)
			}
		})
	}
}

// A pod from outside has its whole life in the view, not only the part after its bind.
func TestOutsiderFromItsBeginning(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	tp.node("n", "p-real")
	tp.pod("other/b", gated)
	tp.pod("other/b", ungated)
	tp.pod("other/b", on("n"))
	tp.pod("other/b", deleting)
	scoped, whole := tp.view(scopeS()).Pods[0], tp.view(Scope{}).Pods[0]
	if !sameJSON(t, scoped, whole) {
		t.Errorf("in scope %+v, in the whole %+v", scoped, whole)
	}
}

func TestEndCutsTheCleanUpOff(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	tp.begin(scopeS())
	tp.pod("a", on("n"))
	tp.end()
	end := tp.events[len(tp.events)-1].Seq
	tp.pod("a", deleting)
	tp.podGone("a")
	tp.act(VerbDelete, Event{Resource: "namespaces", Name: "ns"}, Action{})
	v := tp.close().view(scopeS())
	if p := v.Pod("a"); !p.Deleting.IsZero() || !p.Gone.IsZero() {
		t.Errorf("the clean-up is in the view: %+v", p)
	}
	if n := len(v.Actions); n != 2 {
		t.Errorf("%d actions, want begin and end", n)
	}
	if v.Now() != v.End || v.Now().Seq != end || v.Begin.Seq != 1 {
		t.Errorf("begin %v, end %v, now %v", v.Begin, v.End, v.Now())
	}
}

// What was committed before the end and received after it belongs to the scenario.
func TestLateEventBeforeTheEnd(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	tp.begin(scopeS())
	tp.pod("a")
	tp.pod("a", on("n"))
	late := tp.events[2]
	tp.node("n", "p-real") // a younger event, so that the end lies behind both
	tp.end()
	tp.events = append(tp.events[:2], tp.events[3], tp.events[4], late)
	for i := range tp.events {
		tp.events[i].Seq = int64(i + 1)
	}
	v := tp.view(scopeS())
	if p := v.Pod("a"); p.Bound.IsZero() || p.Bound.After(v.End) {
		t.Errorf("the bind at %v is lost (end %v)", p.Bound, v.End)
	}
}

func TestScopeFromTheRecord(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	tp.pod("a")
	tp.node("n", "p-real")
	tp.begin(scopeS())
	tp.end()
	h := tp.history()
	v := NewView(h, toy{}, Scope{Scenario: "s"})
	if len(v.Pods) != 1 || len(v.Nodes) != 1 || v.Scope.Pools["p"] != "p-real" {
		t.Errorf("%d pods, %d nodes, scope %+v", len(v.Pods), len(v.Nodes), v.Scope)
	}
	if got := h.Scopes(); len(got) != 1 || got[0].Scenario != "s" {
		t.Errorf("scopes %+v", got)
	}
	if _, ok := h.FindScope("other"); ok {
		t.Error("found a scenario that is not there")
	}
}

var places = regexp.MustCompile(`"order":\d+`)

// coarse leaves of every place the resource version only: behind one, fewer events share the room in a slice. What
// tells a slice's events from the whole's (After) goes as well.
func coarse(digest string) string {
	digest = regexp.MustCompile(`,"after":"\d+"`).ReplaceAllString(digest, "")
	return places.ReplaceAllStringFunc(digest, func(s string) string {
		n, _ := strconv.ParseInt(strings.TrimPrefix(s, `"order":`), 10, 64)
		return fmt.Sprintf(`"order":%d`, n>>subBits)
	})
}

// A slice, judged again, gives the view that the whole gives.
func TestSliceGivesTheSameView(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tp := randomTape(t, rt, SingleEtcd)
		h := tp.history()
		whole := NewView(h, toy{}, scopeS())
		cut := h.Slice(Scope{Scenario: "s"})
		got := NewView(cut, toy{}, Scope{Scenario: "s"})
		if a, b := coarse(digest(t, whole)), coarse(digest(t, got)); a != b {
			rt.Fatalf("the whole gives\n%s\nthe slice\n%s", a, b)
		}
		if cut.Header.Slice != "s" || len(cut.Events) > len(h.Events) {
			rt.Fatalf("slice %q of %d events", cut.Header.Slice, len(cut.Events))
		}
	})
}
