package gang

import (
	"fmt"
	"testing"
	"time"

	"muster/suites/history/historytest"
	"muster/suites/kit/kittest"
)

// Stories about a member on its way out and about one that has to give way.
func departingStories() []story {
	const going, order = "gang-waiting-member-being-deleted", "gang-fits-in-one-order"
	leaving := func(nodes int) *historytest.Builder {
		return room(nodes).Gang("g", 2).Pods("g", 1, worker).Deleting("g-0").Mark("on its way out").Pods("g", 2, worker)
	}
	// started has so many nodes for each of the two gangs, of which one is the wanted.
	started := func(nodes int) *historytest.Builder {
		b := historytest.New()
		for _, g := range whenTheChoiceComes {
			for i := range nodes {
				b.Node(fmt.Sprint(g, "-", i), historytest.Has("nvidia.com/gpu=1"), historytest.NodeLabel("pool", g), historytest.NodeLabel("wanted", fmt.Sprint(g, i)))
			}
		}
		b.Mark("empty")
		for _, g := range whenTheChoiceComes {
			b.Gang(g, 2).Pod(g+"-picky", g, worker, on("wanted", g+"0")).Pod(g+"-easy", g, worker, on("pool", g))
		}
		return b
	}
	run := func(b *historytest.Builder, gangs ...string) *historytest.Builder {
		for _, g := range gangs {
			b.Bind(g+"-picky", g+"-0").Bind(g+"-easy", g+"-1")
		}
		return b
	}
	over := func(b *historytest.Builder) *historytest.Builder { return b.Hold("", time.Minute).Mark("waited") }
	return []story{
		{going, "passed over", watch(bind(leaving(3), 1, "g-1", "g-2"), "complete", "watched"), verdicts{"GANG-068": seen}},
		{going, "bound like any other", watch(bind(leaving(3), 0, "g-0", "g-1", "g-2"), "complete", "watched"), verdicts{"GANG-068": seen}},
		{going, "gone already", watch(leaving(3).Gone("g-0"), "complete", "watched"), verdicts{"GANG-068": unclear}},
		{going, "nobody goes", watch(room(3).Gang("g", 2).Pods("g", 1, worker).Mark("on its way out").Pods("g", 2, worker), "complete", "watched"),
			verdicts{"GANG-068": unclear}},
		{going, "no room", watch(leaving(2), "complete", "watched"), verdicts{"GANG-068": unclear}},
		{going, "not watched", leaving(3).Mark("complete").Mark("watched"), verdicts{"GANG-068": unclear}},

		{order, "by the order", over(run(started(2), "last")), verdicts{"GANG-069": seen}},
		{order, "in any order", run(started(2), "first", "last").Mark("waited"), verdicts{"GANG-069": seen}},
		{order, "not watched", run(started(2), "last").Mark("waited"), verdicts{"GANG-069": unclear}},
		{order, "no room", over(started(1)), verdicts{"GANG-069": unclear}},
	}
}

// What people read of them.
func TestDepartingValues(t *testing.T) {
	want := map[string]string{
		"passed over":          "2 of 2 others bound; the member that is being deleted waits",
		"bound like any other": "2 of 2 others bound; the member that is being deleted is bound, too",
		"by the order":         "0 of 2 bound where the member that has the choice comes first, 2 of 2 where it comes last",
		"in any order":         "2 of 2 bound where the member that has the choice comes first, 2 of 2 where it comes last",
	}
	told := 0
	for _, s := range departingStories() {
		if w := want[s.name]; w != "" {
			told++
			if _, f := kittest.Judge(t, s.scenario, s.tell.View()); len(f) != 1 || f[0].Value != w {
				t.Errorf("%s: %+v, want the value %q", s.name, f, w)
			}
		}
	}
	if told != len(want) {
		t.Errorf("%d of %d stories were told", told, len(want))
	}
}
