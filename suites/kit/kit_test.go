package kit_test

import (
	"testing"
	"time"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/kit"
)

var gpu = historytest.Wants("gpu=1")

// story: room for two of three; the driver binds one member, the scheduler one; then one is deleted.
func story() *historytest.Builder {
	return historytest.New().Nodes(2, historytest.Has("gpu=1")).
		Gang("g", 3).Pods("g", 3, gpu).Mark("created").
		DriverBind("g-0", "node-0").Mark("half").
		Bind("g-1", "node-1").Mark("bound").
		Hold("watching", 10*time.Second).Mark("watched").
		Reject("g-2").Deleting("g-1").Mark("leaving").Gone("g-1").Mark("gone")
}

func mark(t *testing.T, v *history.View, name string) history.Stamp {
	t.Helper()
	s, ok := v.Mark(name)
	if !ok {
		t.Fatalf("no mark %q", name)
	}
	return s
}

func TestSeeing(t *testing.T) {
	v := story().View()
	var never history.Stamp
	created, half, bound, watched := mark(t, v, "created"), mark(t, v, "half"), mark(t, v, "bound"), mark(t, v, "watched")
	for _, c := range []struct {
		name string
		got  []*history.Pod
		want int
	}{
		{"the driver's binds are nobody's", kit.BoundBetween(v, "g", created, half), 0},
		{"the scheduler's bind", kit.BoundBetween(v, "g", half, bound), 1},
		{"nothing after it", kit.BoundBetween(v, "g", bound, never), 0},
		{"open on both sides", kit.BoundBetween(v, "g", never, never), 1},
		{"before it was allowed", kit.BoundBefore(v, "g", bound), 1},
		{"never allowed", kit.BoundBefore(v, "g", never), 1},
		{"not yet", kit.BoundBefore(v, "g", half), 0},
		{"all alive", kit.AliveAt(v, "g", watched), 3},
		{"one leaving", kit.AliveAt(v, "g", mark(t, v, "leaving")), 2},
		{"one alive after", kit.AliveAfter(v, "g", mark(t, v, "gone")), 2},
		{"unbound", kit.Unbound(v, "g", watched), 1},
		{"created after", kit.CreatedAfter(v, "g", created), 0},
		{"created before", kit.CreatedUpTo(v, "g", created), 3},
		{"named", kit.Named(v, "g-0", "nobody"), 1},
		{"disturbed", kit.DisturbedBetween(v.Members("g"), watched, never), 1},
		{"undisturbed", kit.DisturbedBetween(v.Members("g"), never, watched), 0},
	} {
		if len(c.got) != c.want {
			t.Errorf("%s: %d pods %v, want %d", c.name, len(c.got), kit.Objects(c.got), c.want)
		}
	}
	if last := kit.LastCreated(v.Members("g")); last != v.Pod("g-2").Created {
		t.Errorf("the last was created at %v", last)
	}
}

func TestPremisesComeFirst(t *testing.T) {
	v := story().View()
	for _, c := range []struct {
		name  string
		steps func(c *kit.Case)
		want  suites.Verdict // of a claim that does not hold
	}{
		{"none", func(*kit.Case) {}, suites.Fail},
		{"a mark that is there", func(c *kit.Case) { c.Mark("half") }, suites.Fail},
		{"a mark that is not", func(c *kit.Case) { c.Mark("nowhere") }, suites.Inconclusive},
		{"not watched long enough", func(c *kit.Case) { c.Watched("bound", "watched", 0) }, suites.Inconclusive},
		{"short by one", func(c *kit.Case) { c.ShortByOne(mark(t, v, "created"), v.Members("g")) }, suites.Fail},
		{"room for all", func(c *kit.Case) { c.Fits(mark(t, v, "created"), v.Members("g")) }, suites.Inconclusive},
		{"never room", func(c *kit.Case) {
			c.NeverRoom(mark(t, v, "created"), mark(t, v, "gone"), v.Members("g"), 3)
		}, suites.Fail},
		{"room for two is room", func(c *kit.Case) {
			c.NeverRoom(mark(t, v, "created"), mark(t, v, "gone"), v.Members("g"), 2)
		}, suites.Inconclusive},
		{"no pods at all", func(c *kit.Case) { c.Fits(mark(t, v, "created"), nil) }, suites.Inconclusive},
		{"three members", func(c *kit.Case) { c.Exist("g", 3) }, suites.Fail},
		{"four members", func(c *kit.Case) { c.Exist("g", 4) }, suites.Inconclusive},
	} {
		open := func() *kit.Case { k := kit.For(v, "X-001"); c.steps(k); return k }
		if got := open().Holds(false, "no").Verdict; got != c.want {
			t.Errorf("%s: a false claim is %s, want %s", c.name, got, c.want)
		}
		proven := c.want == suites.Fail
		if got := open().Holds(true, "yes").Verdict; (got == suites.Pass) != proven {
			t.Errorf("%s: a true claim is %s", c.name, got)
		}
		if got := open().Saw("3", "three").Verdict; (got == suites.Observed) != proven {
			t.Errorf("%s: an observation is %s", c.name, got)
		}
	}
}

func TestGapsDecideNothing(t *testing.T) {
	v := story().BreakWatch("pods").View()
	if f := kit.For(v, "X-001").Counts("watched", "g", 2); f.Verdict != suites.Inconclusive {
		t.Errorf("a record with a gap: %s (%s)", f.Verdict, f.Message)
	}
}

func TestClaims(t *testing.T) {
	v := story().View()
	var never history.Stamp
	half, watched := mark(t, v, "half"), mark(t, v, "watched")
	for _, c := range []struct {
		name string
		got  suites.Finding
		want suites.Verdict
	}{
		{"two bound", kit.For(v, "X-001").Counts("watched", "g", 2), suites.Pass},
		{"not three", kit.For(v, "X-001").Counts("watched", "g", 3), suites.Fail},
		{"one bound in between", kit.For(v, "X-001").None("g", half, watched, "then"), suites.Fail},
		{"none before", kit.For(v, "X-001").NoneBefore("g", half, "half"), suites.Pass},
		{"one disturbed", kit.For(v, "X-001").Untouched(v.Members("g"), watched, never, "later"), suites.Fail},
		{"none disturbed before", kit.For(v, "X-001").Untouched(v.Members("g"), never, watched, "before"), suites.Pass},
	} {
		if c.got.Verdict != c.want {
			t.Errorf("%s: %s (%s), want %s", c.name, c.got.Verdict, c.got.Message, c.want)
		}
		if c.want == suites.Fail && (len(c.got.Objects) == 0 || c.got.At.IsZero()) {
			t.Errorf("%s: a violation has to name its objects and its place: %+v", c.name, c.got)
		}
	}
	if q := kit.Quorum(v, "g"); q != 3 {
		t.Errorf("quorum %d", q)
	}
	if s := kit.QuorumChange(v, "g"); !s.IsZero() {
		t.Errorf("the quorum changed at %v", s)
	}
	if s := kit.QuorumChange(story().Quorum("g", 2).View(), "g"); s.IsZero() {
		t.Error("the change of the quorum was missed")
	}
}

func TestConditions(t *testing.T) {
	v := story().View()
	for name, c := range map[string]struct {
		cond kit.Cond
		want bool
	}{
		"one of three is left bound":  {kit.Bound("g", 1), true},
		"two are not":                 {kit.Bound("g", 2), false},
		"pods that were bound":        {kit.PodsBound("g-0", "g-1"), true},
		"a pod that was not":          {kit.PodsBound("g-2"), false},
		"pods that are known":         {kit.PodsSeen("g-0", "g-2"), true},
		"a pod that is not":           {kit.PodsSeen("nobody"), false},
		"gone":                        {kit.PodsGone("g-1"), true},
		"not gone":                    {kit.PodsGone("g-1", "g-2"), false},
		"members":                     {kit.MembersSeen("g", 3), true},
		"all who wait have been told": {kit.Tried("g"), true},
		"nobody waits in no gang":     {kit.Tried("nobody"), false},
		"the gang is there":           {kit.GangGone("g"), false},
		"either":                      {kit.Either(kit.GangGone("g"), kit.Tried("g")), true},
		"not all":                     {kit.All(kit.GangGone("g"), kit.Tried("g")), false},
	} {
		if got := c.cond(v); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if kit.Tried("g")(historytest.New().Gang("g", 1).Pods("g", 1).View()) {
		t.Error("a member that was told nothing counts as tried")
	}
	if !kit.GangGone("g")(story().GangGone("g").View()) {
		t.Error("the gang is gone and it is not seen")
	}
}
