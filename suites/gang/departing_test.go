package gang

import (
	"fmt"
	"testing"
	"time"

	"muster/suites/history/historytest"
	"muster/suites/kit/kittest"
)

// Stories about a member that has to give way.
func departingStories() []story {
	const order = "gang-fits-in-one-order"
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
		{order, "by the order", over(run(started(2), "last")), verdicts{"GANG-069": seen}},
		{order, "in any order", run(started(2), "first", "last").Mark("waited"), verdicts{"GANG-069": seen}},
		{order, "not watched", run(started(2), "last").Mark("waited"), verdicts{"GANG-069": unclear}},
		{order, "no room", over(started(1)), verdicts{"GANG-069": unclear}},
	}
}

// What people read of them.
func TestDepartingValues(t *testing.T) {
	want := map[string]string{
		"by the order": "0 of 2 bound where the member that has the choice comes first, 2 of 2 where it comes last",
		"in any order": "2 of 2 bound where the member that has the choice comes first, 2 of 2 where it comes last",
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
