package composite

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"muster/suites"
	"muster/suites/history/historytest"
	"muster/suites/kit/kittest"
)

// victimStories are about whom preemption takes of a tree, and about trees that preempt or do not.
func victimStories() []story {
	const level, branch, budget, policy, rank = "composite-victim-highest-level", "composite-victim-branch",
		"composite-budgets", "composite-preemption-policies", "composite-victim-priorities"
	high := historytest.Priority(1000)
	placed := func(b *historytest.Builder, parent, gang, node string, priority int32) *historytest.Builder {
		return b.Gang(gang, 1, under(parent), historytest.GangPriority(priority)).
			Pod(gang+"-0", gang, worker, historytest.Priority(priority), historytest.Placed(node))
	}
	levels := func(whole bool) *historytest.Builder {
		var top, mid []historytest.GangOption
		if whole {
			top = append(top, historytest.DisruptedTogether)
		} else {
			mid = append(mid, historytest.DisruptedTogether)
		}
		b, n := room(4).Composite("tree", 2, top...), 0
		for _, name := range []string{"left", "right"} {
			b.Composite(name, 2, append(mid, under("tree"))...)
			for _, g := range branches[name] {
				placed(b, name, g, fmt.Sprint("node-", n), 10)
				n++
			}
		}
		return b.Mark("running").Pod("high", "", worker, high)
	}
	root := func(gone ...string) *historytest.Builder {
		b := levels(true).Gone(gone...)
		if len(gone) > 0 {
			b.Bind("high", "node-0")
		}
		return b.Mark("high bound").Mark("after")
	}
	part := func(gone ...string) *historytest.Builder {
		b := levels(false).Gone(gone...)
		if len(gone) > 0 {
			b.Bind("high", "node-0")
		}
		return watch(b.Mark("high bound"), "settling", "after")
	}

	guarded := func(made bool, gone []string, bound ...string) *historytest.Builder {
		two := historytest.Has("nvidia.com/gpu=2")
		b := historytest.New()
		if made {
			b.Created("poddisruptionbudgets", historytest.Namespace, "guarded").Created("poddisruptionbudgets", historytest.Namespace, "kept")
		}
		b.Node("whole", two).Node("aside", historytest.Has("nvidia.com/gpu=1")).Node("child", two)
		b.Composite("tree", 2, historytest.DisruptedTogether).Composite("parts", 1)
		placed(placed(placed(placed(b, "tree", "a", "whole", 10), "tree", "b", "aside", 10), "parts", "c", "child", 10), "parts", "d", "child", 10)
		b.Pod("beside", "", worker, historytest.Priority(100), historytest.Placed("whole")).Mark("running")
		for _, g := range []string{"x", "y"} {
			b.Gang(g, 1, historytest.GangPriority(1000)).Pod(g+"-0", g, worker, high)
		}
		b.Gone(gone...)
		for _, g := range bound {
			b.Bind(g+"-0", map[string]string{"x": "whole", "y": "child"}[g])
		}
		return b.Mark("after")
	}

	policies := func(never bool, gone []string, bound ...string) *historytest.Builder {
		b := historytest.New()
		for _, pool := range []string{"never", "lower", "mixed"} {
			for i := range 2 {
				node := fmt.Sprint(pool, "-", i)
				b.Node(node, historytest.Has("nvidia.com/gpu=1"), historytest.NodeLabel("pool", pool)).
					Pod("low-"+node, "", worker, historytest.Priority(10), historytest.Placed(node))
			}
		}
		b.Mark("full")
		for _, name := range []string{"n", "l"} {
			opts := []historytest.PodOption{worker, high}
			if name == "n" && never {
				opts = append(opts, historytest.Never)
			}
			b.Composite(name, 2, historytest.GangPriority(1000))
			for _, g := range []string{name + "a", name + "b"} {
				b.Gang(g, 1, under(name), historytest.GangPriority(1000)).Pod(g+"-0", g, opts...)
			}
		}
		inner := "high"
		if never {
			inner = "never"
		}
		b.Composite("m", 1, historytest.GangPriority(1000), ofClass("high"))
		b.Composite("mm", 2, under("m"), historytest.GangPriority(1000), ofClass(inner))
		for _, g := range []string{"ma", "mb"} {
			b.Gang(g, 1, under("mm"), historytest.GangPriority(1000)).Pod(g+"-0", g, worker, high)
		}
		b.Mark("created").Gone(gone...)
		for _, g := range bound {
			b.Bind(g+"-0", map[string]string{"la": "lower-0", "lb": "lower-1", "ma": "mixed-0", "mb": "mixed-1"}[g])
		}
		return b.Hold("", time.Minute).Mark("watched")
	}
	its, theirs, both := []string{"low-lower-0", "low-lower-1"}, []string{"low-never-0", "low-never-1"},
		[]string{"low-lower-0", "low-lower-1", "low-mixed-0", "low-mixed-1"}

	ranks := func(low int32, gone []string, bound bool) *historytest.Builder {
		b := historytest.New().Node("lower", historytest.Has("nvidia.com/gpu=2")).Node("equal", historytest.Has("nvidia.com/gpu=1"))
		for _, t := range []struct {
			tree, gang, node string
			priority         int32
		}{{"mid", "m", "lower", 100}, {"low", "l", "lower", low}, {"same", "s", "equal", 1000}} {
			b.Composite(t.tree, 1, historytest.DisruptedTogether, historytest.GangPriority(t.priority))
			placed(b, t.tree, t.gang, t.node, t.priority)
		}
		b.Mark("running")
		for _, g := range []string{"x", "y"} {
			b.Gang(g, 1, historytest.GangPriority(1000)).Pod(g+"-0", g, worker, high)
		}
		b.Mark("created").Gone(gone...)
		if bound {
			b.Bind("x-0", "lower")
		}
		return b.Hold("", time.Minute).Mark("watched")
	}
	tied := func(group int32, gone ...string) *historytest.Builder {
		b := historytest.New().Node("tied", historytest.Has("nvidia.com/gpu=2"))
		b.Composite("peer", 1, historytest.DisruptedTogether, historytest.GangPriority(10))
		placed(b, "peer", "p", "tied", 10)
		b.Gang("alone", 1, historytest.Together, historytest.GangPriority(group))
		b.Pod("alone-0", "alone", worker, historytest.Priority(group), historytest.Placed("tied")).Mark("running")
		b.Gang("z", 1, historytest.GangPriority(1000)).Pod("z-0", "z", worker, high).Mark("created")
		if len(gone) > 0 {
			b.Evict(gone...).Gone(gone...).Bind("z-0", "tied")
		}
		return b.Hold("", time.Minute).Mark("watched")
	}
	const domain = "composite-preempts-in-one-rack"
	domains := func(gone ...string) *historytest.Builder {
		b := cluster(2, 2)
		for i, p := range []struct {
			name     string
			priority int32
		}{{"victim-0", 10}, {"victim-1", 10}, {"spared-0", 10}, {"equal-0", 1000}} {
			b.Pod(p.name, "", worker, historytest.Priority(p.priority), historytest.Placed(fmt.Sprint("node-", i)))
		}
		b.Mark("full").Composite("tree", 2, inRacks, historytest.GangPriority(1000))
		for _, g := range []string{"a", "b"} {
			b.Gang(g, 1, under("tree"), historytest.GangPriority(1000)).Pod(g+"-0", g, worker, high)
		}
		return b.Gone(gone...)
	}
	bind1 := func(b *historytest.Builder, on ...int) *historytest.Builder {
		for i, n := range on {
			b.Bind([]string{"a-0", "b-0"}[i], fmt.Sprint("node-", n))
		}
		return watch(b.Mark("all bound"), "settling", "watched")
	}
	return []story{
		{domain, "in the rack that can be emptied", bind1(domains("victim-0", "victim-1"), 0, 1), verdicts{"CPG-048": pass, "CPG-049": pass}},
		{domain, "in two racks", bind1(domains("victim-0", "spared-0"), 0, 2), verdicts{"CPG-048": fail, "CPG-049": fail}},
		{domain, "nobody", bind1(domains()), verdicts{"CPG-048": fail, "CPG-049": unclear}},
		{domain, "more than needed", bind1(domains("victim-0", "victim-1", "spared-0"), 0, 1), verdicts{"CPG-048": pass, "CPG-049": fail}},

		{level, "all of it", root("a-0", "b-0", "c-0", "d-0"), verdicts{"CPG-040": pass}},
		{level, "one branch", root("a-0", "b-0"), verdicts{"CPG-040": fail}},
		{level, "one pod", root("a-0"), verdicts{"CPG-040": fail}},
		{level, "nobody", root(), verdicts{"CPG-040": unclear}},
		{branch, "one branch", part("a-0", "b-0"), verdicts{"CPG-041": pass}},
		{branch, "half a branch", part("a-0"), verdicts{"CPG-041": fail}},
		{branch, "one pod of each", part("a-0", "c-0"), verdicts{"CPG-041": fail}},
		{branch, "all of it", part("a-0", "b-0", "c-0", "d-0"), verdicts{"CPG-041": fail}},

		{budget, "the others", guarded(true, []string{"beside", "d-0"}, "x", "y"), verdicts{"CPG-042": pass, "CPG-043": pass}},
		{budget, "the guarded", guarded(true, []string{"a-0", "b-0", "c-0"}, "x", "y"), verdicts{"CPG-042": fail, "CPG-043": fail}},
		{budget, "nobody", guarded(true, nil), verdicts{"CPG-042": fail, "CPG-043": fail}},
		{budget, "more than needed", guarded(true, []string{"beside", "a-0", "b-0", "c-0", "d-0"}, "x", "y"), verdicts{"CPG-042": fail, "CPG-043": fail}},
		{budget, "without budgets", guarded(false, []string{"beside", "d-0"}, "x", "y"), verdicts{"CPG-042": unclear, "CPG-043": unclear}},

		{policy, "as they say", policies(true, its, "la", "lb"), verdicts{"CPG-044": pass, "CPG-045": pass, "CPG-053": seen}},
		{policy, "the mixed one, too", policies(true, both, "la", "lb", "ma", "mb"), verdicts{"CPG-044": pass, "CPG-045": pass, "CPG-053": seen}},
		{policy, "both preempt", policies(true, append(its[:2:2], theirs...), "la", "lb"), verdicts{"CPG-044": fail, "CPG-045": pass}},
		{policy, "nobody does", policies(true, nil), verdicts{"CPG-044": pass, "CPG-045": fail}},
		{policy, "in vain", policies(true, its), verdicts{"CPG-045": fail}},
		{policy, "nobody says never", policies(false, its, "la", "lb"), verdicts{"CPG-044": unclear, "CPG-053": unclear}},

		{rank, "the lowest", ranks(10, []string{"l-0"}, true), verdicts{"CPG-046": pass, "CPG-047": pass}},
		{rank, "the other", ranks(10, []string{"m-0"}, true), verdicts{"CPG-046": fail, "CPG-047": pass}},
		{rank, "both", ranks(10, []string{"m-0", "l-0"}, true), verdicts{"CPG-046": fail}},
		{rank, "nobody", ranks(10, nil, false), verdicts{"CPG-046": fail, "CPG-047": pass}},
		{rank, "an equal", ranks(10, []string{"l-0", "s-0"}, true), verdicts{"CPG-046": pass, "CPG-047": fail}},
		{rank, "the group of two", tied(10, "alone-0"), verdicts{"CPG-056": seen}},
		{rank, "the tree of two", tied(10, "p-0"), verdicts{"CPG-056": seen}},
		{rank, "a group of another priority", tied(20, "alone-0"), verdicts{"CPG-056": unclear}},
		{rank, "trees of one priority", ranks(100, []string{"l-0"}, true), verdicts{"CPG-046": unclear}},
	}
}

// ofClass is the class of a composite, which admission looks up.
func ofClass(name string) historytest.GangOption {
	return func(g map[string]any) { g["spec"].(map[string]any)["priorityClassName"] = name }
}

// What people read of a tree with two policies.
func TestMixedPolicyValues(t *testing.T) {
	want := map[string]string{
		"as they say":        "0 of 2 pods of lower priority evicted, 0 of 2 pods of the tree bound",
		"the mixed one, too": "2 of 2 pods of lower priority evicted, 2 of 2 pods of the tree bound",
	}
	for _, s := range victimStories() {
		if w := want[s.name]; w != "" && s.scenario == "composite-preemption-policies" {
			_, f := kittest.Judge(t, s.scenario, s.tell.View())
			if i := slices.IndexFunc(f, func(f suites.Finding) bool { return f.Requirement == "CPG-053" }); i < 0 || f[i].Value != w {
				t.Errorf("%s: %+v, want the value %q", s.name, f, w)
			}
		}
	}
}
