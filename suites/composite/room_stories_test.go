package composite

import (
	"time"

	"muster/suites/history/historytest"
)

func rackStories() []story {
	const one, none, late, nested, own = "composite-in-one-rack", "composite-no-rack-for-all", "composite-late-child-in-its-rack",
		"composite-zone-and-racks", "composite-racks-of-children"
	ready := func() *historytest.Builder { return two(taken(cluster(2, 4), 0, 0).Mark("ready"), inRacks) }
	short := func() *historytest.Builder { return two(cluster(2, 3), inRacks) }
	began := func() *historytest.Builder {
		b := gangs(taken(cluster(2, 4), 0, 2, 3, 4, 5, 6, 7).Composite("tree", 1, inRacks), "tree", "a")
		return gangs(freed(bind(b, "a", 0, 1).Mark("first child bound"), 4, 5, 6, 7), "tree", "b")
	}
	waited := func() *historytest.Builder { return freed(watch(began(), "own rack full", "watched"), 2, 3) }
	children := func(b *historytest.Builder) *historytest.Builder {
		for _, name := range []string{"a", "b"} {
			b.Gang(name, 2, under("tree"), inRacks).Pods(name, 2, worker)
		}
		return b
	}
	zoned := func() *historytest.Builder {
		return children(taken(cluster(4, 2), 0, 0).Mark("ready").Composite("tree", 2, historytest.OneDomain("zone")))
	}
	const torn = "composite-torn-apart"
	runs := func() *historytest.Builder {
		return bind(gangs(taken(cluster(2, 3), 0, 3, 4).Composite("tree", 1, inRacks), "tree", "a"), "a", 0, 1).Mark("first child bound")
	}
	second := func(b *historytest.Builder) *historytest.Builder {
		return b.Gang("b", 1, under("tree")).Pods("b", 1, worker)
	}
	split := func() *historytest.Builder {
		return second(runs().ChangeNode("node-0", historytest.NodeLabel(key, "r1")))
	}
	free := func() *historytest.Builder { return children(cluster(2, 2).Mark("ready").Composite("tree", 2)) }
	return []story{
		{one, "in one rack", bind(bind(ready(), "a", 4, 5), "b", 6, 7).Mark("all bound"), verdicts{"CPG-024": pass}},
		{one, "in two", bind(bind(ready(), "a", 1, 2), "b", 6, 7).Mark("all bound"), verdicts{"CPG-024": fail}},
		{one, "in none", ready().Mark("all bound"), verdicts{"CPG-024": fail}},

		{none, "waits", watch(short(), "created", "watched"), verdicts{"CPG-025": pass}},
		{none, "each in its own", watch(bind(bind(short(), "a", 0, 1), "b", 3, 4), "created", "watched"), verdicts{"CPG-025": fail}},
		{none, "one of them", watch(bind(short(), "a", 0, 1), "created", "watched"), verdicts{"CPG-025": fail}},

		{late, "waits and joins", bind(waited(), "b", 2, 3).Mark("all bound"), verdicts{"CPG-039": pass, "CPG-031": pass}},
		{late, "goes elsewhere", watch(bind(began(), "b", 4, 5), "own rack full", "watched").Mark("all bound"), verdicts{"CPG-039": fail}},
		{late, "goes elsewhere at last", bind(waited(), "b", 4, 5).Mark("all bound"), verdicts{"CPG-039": pass, "CPG-031": fail}},
		{late, "never comes", waited().Mark("all bound"), verdicts{"CPG-031": fail}},

		{torn, "waits", watch(split(), "torn", "watched"), verdicts{"CPG-052": seen}},
		{torn, "is bound", watch(split().Bind("b-0", "node-2"), "torn", "watched"), verdicts{"CPG-052": seen}},
		{torn, "the label stays", watch(second(runs()), "torn", "watched"), verdicts{"CPG-052": unclear}},
		{torn, "nobody comes", watch(runs().ChangeNode("node-0", historytest.NodeLabel(key, "r1")), "torn", "watched"), verdicts{"CPG-052": unclear}},
		{torn, "not watched", split().Mark("torn").Mark("watched"), verdicts{"CPG-052": unclear}},

		{nested, "two racks of a zone", bind(bind(zoned(), "a", 4, 5), "b", 6, 7).Mark("all bound"), verdicts{"CPG-026": pass}},
		{nested, "racks of two zones", bind(bind(zoned(), "a", 2, 3), "b", 6, 7).Mark("all bound"), verdicts{"CPG-026": fail}},
		{nested, "a child in two racks", bind(bind(zoned(), "a", 4, 6), "b", 5, 7).Mark("all bound"), verdicts{"CPG-026": fail}},
		{nested, "one child", bind(zoned(), "a", 4, 5).Mark("all bound"), verdicts{"CPG-026": fail}},

		{own, "a rack each", bind(bind(free(), "a", 0, 1), "b", 2, 3).Mark("all bound"), verdicts{"CPG-027": pass}},
		{own, "mixed", bind(bind(free(), "a", 0, 2), "b", 1, 3).Mark("all bound"), verdicts{"CPG-027": fail}},
	}
}

func preemptionStories() []story {
	const evicts, hopeless, whole, child = "composite-preempts", "composite-preemption-hopeless", "composite-victim-as-a-whole", "composite-victim-by-child"
	high := historytest.Priority(1000)
	full := func(n int) *historytest.Builder {
		on := []int{0, 1, 2, 3}[:n]
		b := taken(room(n), 10, on...).Mark("full").Composite("tree", 2, historytest.GangPriority(1000))
		for _, name := range []string{"a", "b"} {
			b.Gang(name, 2, under("tree"), historytest.GangPriority(1000)).Pods(name, 2, worker, high)
		}
		return b
	}
	victim := func(opts ...historytest.GangOption) *historytest.Builder {
		b := room(4).Composite("tree", 2, opts...)
		for _, name := range []string{"a", "b"} {
			b.Gang(name, 2, under("tree"), historytest.DisruptedTogether).Pods(name, 2, worker)
		}
		return bind(bind(b, "a", 0, 1), "b", 2, 3).Mark("running").Pod("high", "", worker, high)
	}
	both := func() *historytest.Builder { return victim(historytest.DisruptedTogether) }
	return []story{
		{evicts, "bound", bind(bind(freed(full(4), 0, 1, 2, 3), "a", 0, 1), "b", 2, 3).Mark("all bound"), verdicts{"CPG-032": pass}},
		{evicts, "half", bind(freed(full(4), 0, 1), "a", 0, 1).Mark("all bound"), verdicts{"CPG-032": fail}},
		{evicts, "none", full(4).Mark("all bound"), verdicts{"CPG-032": fail}},
		{hopeless, "nobody", watch(full(3), "created", "watched"), verdicts{"CPG-033": pass}},
		{hopeless, "in vain", freed(full(3).Mark("created"), 1).Hold("", time.Minute).Mark("watched"), verdicts{"CPG-033": fail}},

		{whole, "all of it", both().Gone("a-0", "a-1", "b-0", "b-1").Bind("high", "node-0").Mark("high bound").Mark("after"), verdicts{"CPG-034": pass}},
		{whole, "one gang", both().Gone("a-0", "a-1").Bind("high", "node-0").Mark("high bound").Mark("after"), verdicts{"CPG-034": fail}},
		{whole, "nobody", both().Mark("high bound").Mark("after"), verdicts{"CPG-034": unclear}},
		{child, "one gang", watch(victim().Gone("b-0", "b-1").Bind("high", "node-2").Mark("high bound"), "settling", "after"), verdicts{"CPG-035": pass}},
		{child, "both", watch(victim().Gone("a-0", "a-1", "b-0", "b-1").Bind("high", "node-2").Mark("high bound"), "settling", "after"), verdicts{"CPG-035": fail}},
		{child, "half a gang", watch(victim().Gone("b-0").Bind("high", "node-2").Mark("high bound"), "settling", "after"), verdicts{"CPG-035": fail}},
	}
}

func oddStories() []story {
	const equal, greedy = "composite-equal-names", "composite-greedy-child"
	twins := func() *historytest.Builder {
		b := room(4).Mark("ready").Composite("tree", 2).Composite("same", 1, under("tree"))
		return gangs(gangs(b, "tree", "same"), "same", "inner")
	}
	full := func() *historytest.Builder {
		b := room(3).Mark("ready").Composite("tree", 2).Gang("greedy", 1, under("tree")).Pods("greedy", 3, worker)
		return gangs(b, "tree", "modest")
	}
	return []story{
		{equal, "bound", bind(bind(twins(), "same", 0, 1), "inner", 2, 3).Mark("waited"), verdicts{"CPG-036": seen}},
		{equal, "lost", twins().Mark("waited"), verdicts{"CPG-036": seen}},
		{greedy, "quorums", bind(bind(full(), "greedy", 0), "modest", 1, 2).Mark("waited"), verdicts{"CPG-037": seen}},
		{greedy, "nothing", full().Mark("waited"), verdicts{"CPG-037": seen}},
	}
}
