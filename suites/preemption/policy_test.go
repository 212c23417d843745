package preemption

import (
	"muster/suites/history"
	"muster/suites/history/historytest"
)

// Stories about those who never preempt.
func policyStories() []told {
	const policies, off = "preemption-policies", "preemption-pods-say-never"
	const podNever = "preemption-pod-says-never"
	one := func(opts ...historytest.PodOption) teller {
		return begin().nodes("pod", 1, 1).stands("low-pod", "", "pod-0", 100).ready().comes("p", "pod", opts...)
	}
	two := func(opts ...historytest.PodOption) teller {
		b := begin()
		for _, w := range []string{"never", "lower"} {
			b.nodes(w, 1, 1).stands("low-"+w, "", w+"-0", 100)
		}
		return b.ready().attack("n", "never", 1, 1, opts...).attack("l", "lower", 1, 1)
	}
	alone := func(opts ...historytest.PodOption) teller {
		return begin().nodes("main", 2, 1).across("low", "", "main", 2, 100).ready().attack("g", "main", 2, 2, opts...)
	}
	differ := func(opts ...historytest.PodOption) teller {
		b := alone(historytest.Never).nodes("mixed", 2, 1).group("mixed", 2, 1000)
		b.Pod("mixed-polite", "mixed", append([]historytest.PodOption{gpus(1), at(1000), only("mixed")}, opts...)...)
		b.Pod("mixed-other", "mixed", gpus(1), at(1000), only("mixed"))
		return b
	}
	tree := func(answer int, opts ...historytest.PodOption) teller {
		b := begin().nodes("tree", 2, 1).across("low-tree", "", "tree", 2, 100).ready()
		b.Try("make the root", "create", "compositepodgroups", "root", history.Response{Code: answer})
		b.group("leaf", 2, 1000, historytest.Under("root")).Pods("leaf", 2, append([]historytest.PodOption{gpus(1), at(1000), only("tree")}, opts...)...)
		return b
	}
	return []told{
		{policies, "as they say", two(historytest.Never).evict("low-lower").bind("l-0", "lower-0").watched(), verdicts{"PRE-008": pass, "PRE-010": pass}},
		{policies, "all preempt", two(historytest.Never).evict("low-lower", "low-never").bind("l-0", "lower-0").watched(),
			verdicts{"PRE-008": fail, "PRE-010": pass}},
		{policies, "nobody does", two(historytest.Never).watched(), verdicts{"PRE-008": pass, "PRE-010": fail}},
		{policies, "nobody says never", two().watched(), verdicts{"PRE-008": unclear}},

		{podNever, "nobody is touched", one(historytest.Never).watched(), verdicts{"PRE-016": pass}},
		{podNever, "it preempts", one(historytest.Never).evict("low-pod").watched(), verdicts{"PRE-016": fail}},
		{podNever, "it does not say never", one().watched(), verdicts{"PRE-016": unclear}},

		{off, "nobody is touched", alone(historytest.Never).watched(), verdicts{"PRE-009": pass}},
		{off, "nobody is touched for the tree", tree(201, historytest.Never).watched(), verdicts{"PRE-072": pass}},
		{off, "the tree preempts", tree(201, historytest.Never).evict("low-tree-0", "low-tree-1").watched(), verdicts{"PRE-072": fail}},
		{off, "there is no tree", tree(404, historytest.Never).watched(), verdicts{"PRE-072": unclear}},
		{off, "the tree may preempt", tree(201).watched(), verdicts{"PRE-072": unclear}},
		{off, "members differ and wait", differ(historytest.Never).watched(), verdicts{"GANG-033": seen}},
		{off, "members differ and are bound", differ(historytest.Never).bind("mixed-polite", "mixed-0").bind("mixed-other", "mixed-1").watched(), verdicts{"GANG-033": seen}},
		{off, "members do not differ", differ().watched(), verdicts{"GANG-033": unclear}},
		{off, "they preempt", alone(historytest.Never).evict("low-0", "low-1").watched(), verdicts{"PRE-009": fail}},
	}
}
