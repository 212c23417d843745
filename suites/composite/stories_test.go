package composite

import (
	"fmt"
	"slices"
	"time"

	"muster/suites/history/historytest"
)

func stories() []story {
	return slices.Concat(metricStories(), gangStories(), basicStories(), levelStories(), orderStories(), laterStories(), rackStories(),
		preemptionStories(), victimStories(), oddStories(), gateStories())
}

const key = "rack"

var (
	worker  = historytest.Wants("nvidia.com/gpu=1")
	inRacks = historytest.OneDomain(key)
	under   = historytest.Under
)

// room is n nodes with one GPU each: node-0 … in order.
func room(n int) *historytest.Builder {
	return historytest.New().Nodes(n, historytest.Has("nvidia.com/gpu=1"))
}

// cluster is so many racks r0, r1, … of so many such nodes, in zones of two racks.
func cluster(count, size int) *historytest.Builder {
	b := historytest.New()
	for i := range count {
		b.Nodes(size, historytest.Has("nvidia.com/gpu=1"), historytest.NodeLabel(key, fmt.Sprint("r", i)),
			historytest.NodeLabel("zone", fmt.Sprint("z", i/2)))
	}
	return b
}

// taken puts a pod that fills it on each of the nodes: taken-N on node-N.
func taken(b *historytest.Builder, priority int32, on ...int) *historytest.Builder {
	for _, n := range on {
		b.Pod(fmt.Sprint("taken-", n), "", worker, historytest.Placed(fmt.Sprint("node-", n)), historytest.Priority(priority))
	}
	return b
}

// freed removes them.
func freed(b *historytest.Builder, on ...int) *historytest.Builder {
	for _, n := range on {
		b.Gone(fmt.Sprint("taken-", n))
	}
	return b
}

// bind binds the gang's members from the first on to the nodes.
func bind(b *historytest.Builder, gang string, on ...int) *historytest.Builder {
	for i, n := range on {
		b.Bind(fmt.Sprint(gang, "-", i), fmt.Sprint("node-", n))
	}
	return b
}

// watch lets more than the settle bound of any group of these stories pass between two marks.
func watch(b *historytest.Builder, from, to string) *historytest.Builder {
	return b.Mark(from).Hold(from, time.Minute).Mark(to)
}

// gangs are complete gangs of two below a composite.
func gangs(b *historytest.Builder, parent string, names ...string) *historytest.Builder {
	for _, name := range names {
		b.Gang(name, 2, under(parent)).Pods(name, 2, worker)
	}
	return b
}

// two is a tree of the gangs a and b, of which both are needed.
func two(b *historytest.Builder, opts ...historytest.GangOption) *historytest.Builder {
	return gangs(b.Composite("tree", 2, opts...), "tree", "a", "b")
}

func gangStories() []story {
	const fits, short, some, extra = "composite-two-gangs-fit", "composite-one-of-two-fits", "composite-two-of-three", "composite-three-fit"
	ready := func() *historytest.Builder { return two(room(4).Mark("ready")) }
	bound := func() *historytest.Builder { return bind(bind(ready(), "a", 0, 1), "b", 2, 3).Mark("all bound") }
	said := func(b *historytest.Builder) *historytest.Builder {
		return b.Satisfied("a", "True", "Scheduled").Satisfied("b", "True", "Scheduled")
	}
	waited := func() *historytest.Builder {
		return watch(two(room(3)), "one slot short", "watched").Nodes(1, historytest.Has("nvidia.com/gpu=1"))
	}
	three := func(n int) *historytest.Builder {
		return gangs(room(n).Mark("ready").Composite("tree", 2), "tree", "a", "b", "c")
	}
	part := func() *historytest.Builder {
		return watch(bind(bind(three(5), "a", 0, 1), "b", 2, 3), "room for two", "watched").Nodes(1, historytest.Has("nvidia.com/gpu=1"))
	}
	return []story{
		{fits, "bound, and all say so", said(bound()).CompositeSays("tree", "True", "Scheduled").Mark("waited"),
			verdicts{"CPG-001": pass, "CPG-014": pass, "CPG-015": pass}},
		{fits, "the composite is silent", said(bound()).Hold("", time.Minute).Mark("waited"), verdicts{"CPG-014": pass, "CPG-015": fail}},
		{fits, "the composite says False", said(bound()).CompositeSays("tree", "False", "Unschedulable").Hold("", time.Minute).Mark("waited"), verdicts{"CPG-015": fail}},
		{fits, "a leaf is silent", bound().Satisfied("a", "True", "Scheduled").Hold("", time.Minute).Mark("waited"), verdicts{"CPG-014": fail}},
		{fits, "silent, but not for long", bound().Mark("waited"), verdicts{"CPG-014": unclear, "CPG-015": unclear}},
		{fits, "one child bound", bind(ready(), "a", 0, 1).Mark("all bound").Mark("waited"), verdicts{"CPG-001": fail, "CPG-015": unclear}},
		{fits, "no room", two(room(3).Mark("ready")).Mark("all bound"), verdicts{"CPG-001": unclear}},

		{short, "waits, then bound", bind(bind(waited(), "a", 0, 1), "b", 2, 3).Mark("all bound"), verdicts{"CPG-002": pass, "CPG-016": pass}},
		{short, "one child bound", watch(bind(two(room(3)), "a", 0, 1), "one slot short", "watched"), verdicts{"CPG-002": fail}},
		{short, "forgotten", waited().Mark("all bound"), verdicts{"CPG-002": pass, "CPG-016": fail}},

		{some, "two whole, the third later", bind(part(), "c", 4, 5).Mark("all bound"), verdicts{"CPG-003": pass, "CPG-013": pass, "CPG-054": seen}},
		{some, "the third forgotten", part().Mark("all bound"), verdicts{"CPG-003": pass, "CPG-013": fail}},
		{some, "the third in part", watch(bind(bind(bind(three(5), "a", 0, 1), "b", 2, 3), "c", 4), "room for two", "watched"), verdicts{"CPG-003": fail}},
		{some, "none", watch(three(5), "room for two", "watched"), verdicts{"CPG-003": fail, "CPG-013": unclear, "CPG-054": unclear}},

		{extra, "all three", bind(bind(bind(three(6), "a", 0, 1), "b", 2, 3), "c", 4, 5).Mark("all bound"), verdicts{"CPG-004": pass}},
		{extra, "two are enough", bind(bind(three(6), "a", 0, 1), "b", 2, 3).Mark("all bound"), verdicts{"CPG-004": fail}},
	}
}

func basicStories() []story {
	const parent, child = "composite-basic-parent", "composite-basic-child"
	loose := func() *historytest.Builder {
		b := room(3).Mark("ready").BasicComposite("tree").Gang("large", 4, under("tree")).Pods("large", 4, worker)
		return gangs(b, "tree", "small")
	}
	mixed := func() *historytest.Builder {
		b := room(3).Mark("ready").Composite("tree", 2).Gang("gang", 2, under("tree")).Pods("gang", 2, worker)
		return b.Basic("basic", under("tree")).Pods("basic", 2, worker)
	}
	return []story{
		{parent, "the one that fits", watch(bind(loose(), "small", 0, 1), "created", "watched"), verdicts{"CPG-005": pass}},
		{parent, "none", watch(loose(), "created", "watched"), verdicts{"CPG-005": fail}},
		{parent, "the large one in part", watch(bind(bind(loose(), "small", 0, 1), "large", 2), "created", "watched"), verdicts{"CPG-005": fail}},

		{child, "bound", bind(bind(mixed(), "gang", 0, 1), "basic", 2).Mark("waited"), verdicts{"CPG-006": seen}},
		{child, "not bound", mixed().Mark("waited"), verdicts{"CPG-006": seen}},
	}
}

func levelStories() []story {
	const three, four, broken = "composite-three-levels", "composite-four-levels", "composite-broken-trees"
	branches := func() *historytest.Builder {
		b := room(5).Mark("ready").Composite("tree", 1).Composite("broken", 2, under("tree")).Composite("whole", 1, under("tree"))
		b = gangs(b, "broken", "broken-small").Gang("broken-large", 6, under("broken")).Pods("broken-large", 6, worker)
		return gangs(b, "whole", "whole-small")
	}
	deep := func() *historytest.Builder {
		b := room(4).Mark("ready").Composite("one", 1).Composite("two", 1, under("one")).Composite("three", 2, under("two"))
		return gangs(b, "three", "a", "b")
	}
	wrong := func() *historytest.Builder {
		b := room(3).Composite("one", 1)
		for i, name := range []string{"two", "three", "four"} {
			b.Composite(name, 1, under([]string{"one", "two", "three"}[i]))
		}
		b.Composite("left", 1, under("right")).Composite("right", 1, under("left")).Composite("odd", 1, historytest.GangPriority(1000))
		for _, g := range [][2]string{{"deep", "four"}, {"circle", "left"}, {"mixed", "odd"}} {
			b.Gang(g[0], 1, under(g[1])).Pods(g[0], 1, worker)
		}
		return b
	}
	return []story{
		{three, "the whole branch alone", watch(bind(branches(), "whole-small", 0, 1), "created", "watched"), verdicts{"CPG-007": pass}},
		{three, "a gang of the broken branch", watch(bind(bind(branches(), "whole-small", 0, 1), "broken-small", 2, 3), "created", "watched"), verdicts{"CPG-007": fail}},
		{three, "nothing", watch(branches(), "created", "watched"), verdicts{"CPG-007": fail}},

		{four, "bound", bind(bind(deep(), "a", 0, 1), "b", 2, 3).Mark("all bound"), verdicts{"CPG-008": pass}},
		{four, "not bound", deep().Mark("all bound"), verdicts{"CPG-008": fail}},

		{broken, "left alone, and told", watch(wrong().CompositeSays("one", "True", "Invalid"), "created", "watched"),
			verdicts{"CPG-009": pass, "CPG-010": pass, "CPG-011": pass, "CPG-012": pass}},
		{broken, "bound, and nobody told", watch(bind(bind(bind(wrong(), "deep", 0), "circle", 1), "mixed", 2), "created", "watched"),
			verdicts{"CPG-009": fail, "CPG-010": fail, "CPG-011": fail, "CPG-012": fail}},
	}
}

func orderStories() []story {
	const last, short, lowered = "composite-root-comes-last", "composite-child-short-of-pods", "composite-quorum-lowered"
	orphans := func() *historytest.Builder {
		b := room(4).Pods("a", 2, worker).Pods("b", 2, worker).Gang("a", 2, under("middle")).Gang("b", 2, under("middle"))
		return b.Composite("middle", 2, under("top"))
	}
	came := func() *historytest.Builder { return watch(orphans(), "no root", "watched").Composite("top", 1) }
	lacking := func() *historytest.Builder {
		return gangs(room(4).Composite("tree", 2), "tree", "a").Gang("b", 2, under("tree")).Pods("b", 1, worker)
	}
	complete := func() *historytest.Builder { return watch(lacking(), "one pod short", "watched").Pods("b", 1, worker) }
	fewer := func(n int) *historytest.Builder {
		return gangs(room(n).Composite("tree", 2), "tree", "a").Gang("b", 2, under("tree")).Pods("b", 1, worker).Mark("one pod short").Quorum("b", 1)
	}
	return []story{
		{lowered, "bound then", bind(bind(fewer(3), "a", 0, 1), "b", 2).Mark("all bound"), verdicts{"CPG-051": pass}},
		{lowered, "forgotten", fewer(3).Mark("all bound"), verdicts{"CPG-051": fail}},
		{lowered, "one child alone", bind(fewer(3), "a", 0, 1).Mark("all bound"), verdicts{"CPG-051": fail}},
		{lowered, "bound before", bind(bind(lacking(), "a", 0, 1).Mark("one pod short").Quorum("b", 1), "b", 2).Mark("all bound"), verdicts{"CPG-051": fail}},
		{lowered, "never lowered", lacking().Mark("one pod short").Mark("all bound"), verdicts{"CPG-051": unclear}},
		{lowered, "no room", fewer(2).Mark("all bound"), verdicts{"CPG-051": unclear}},

		{last, "waits for the root", bind(bind(came(), "a", 0, 1), "b", 2, 3).Mark("all bound"), verdicts{"CPG-017": pass, "CPG-018": pass}},
		{last, "bound without it", watch(bind(bind(orphans(), "a", 0, 1), "b", 2, 3), "no root", "watched").Composite("top", 1).Mark("all bound"), verdicts{"CPG-017": fail}},
		{last, "forgotten", came().Mark("all bound"), verdicts{"CPG-017": pass, "CPG-018": fail}},

		{short, "waits for the pod", bind(bind(complete(), "a", 0, 1), "b", 2, 3).Mark("all bound"), verdicts{"CPG-019": pass}},
		{short, "one child bound early", watch(bind(lacking(), "a", 0, 1), "one pod short", "watched"), verdicts{"CPG-019": fail}},
		{short, "forgotten", complete().Mark("all bound"), verdicts{"CPG-019": fail}},
	}
}

func laterStories() []story {
	const late, again, orphaned = "composite-late-child", "composite-member-replaced", "composite-root-deleted"
	runs := func(n int) *historytest.Builder {
		return bind(bind(two(room(n)), "a", 0, 1), "b", 2, 3).Mark("running")
	}
	third := func() *historytest.Builder { return gangs(runs(6), "tree", "c") }
	lost := func() *historytest.Builder { return runs(4).Gone("b-1").Mark("member lost").Pods("b", 1, worker) }
	rootless := func() *historytest.Builder {
		b := gangs(runs(7).Composite("waiting", 2), "waiting", "c", "d").Mark("waits")
		return b.CompositeGone("waiting").CompositeGone("tree").Mark("roots gone").Nodes(1, historytest.Has("nvidia.com/gpu=1"))
	}
	atOnce := func() *historytest.Builder {
		b := gangs(runs(7).Composite("waiting", 2), "waiting", "c", "d").Mark("waits")
		b.CompositeGone("waiting").CompositeGone("tree").Gone("a-0")
		return b.Mark("roots gone").Nodes(1, historytest.Has("nvidia.com/gpu=1"))
	}
	return []story{
		{late, "bound", bind(third(), "c", 4, 5).Mark("late child bound"), verdicts{"CPG-020": pass}},
		{late, "forgotten", third().Mark("late child bound"), verdicts{"CPG-020": fail}},
		{again, "bound", lost().Bind("b-2", "node-3").Mark("replaced"), verdicts{"CPG-021": pass}},
		{again, "forgotten", lost().Mark("replaced"), verdicts{"CPG-021": fail}},
		{orphaned, "one waits, one runs on", watch(rootless(), "room", "watched"), verdicts{"CPG-022": pass, "CPG-023": pass}},
		{orphaned, "bound all the same", watch(bind(bind(rootless(), "c", 4, 5), "d", 6, 7), "room", "watched"), verdicts{"CPG-022": fail}},
		{orphaned, "evicted", rootless().Mark("room").Gone("a-0").Hold("", time.Minute).Mark("watched"), verdicts{"CPG-023": fail}},
		{orphaned, "evicted before the roots are seen to be gone", watch(atOnce(), "room", "watched"), verdicts{"CPG-023": fail}},
	}
}
