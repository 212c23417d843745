package preemption

import (
	"muster/suites/history/historytest"
)

// Stories about who goes.
func choiceStories() []told {
	const order, lowest, fewest, budgets = "preemption-lowest-of-several-groups", "preemption-lowest-priority-elsewhere", "preemption-fewest-victims", "preemption-budgets"
	const optional = "preemption-for-optional-members"
	ranked := func() teller {
		b := begin().nodes("gang", 2, 3).nodes("pod", 2, 3)
		for _, w := range []string{"gang", "pod"} {
			for i, class := range ranks {
				g := w + "-" + class
				b.group(g, 2, int32(100*(i+1)), historytest.Together).across(g, g, w, 2, int32(100*(i+1)))
			}
		}
		return b.ready().attack("g", "gang", 1, 1).comes("p", "pod")
	}
	pair := func(w, class string) []string { return []string{w + "-" + class + "-0", w + "-" + class + "-1"} }
	done := func(b teller, node string) *historytest.Builder {
		return b.bind("g-0", "gang-"+node).bind("p", "pod-"+node).settled()
	}
	uneven := func() teller {
		b := begin().nodes("gang", 2, 1).nodes("pod", 2, 1)
		for _, w := range []string{"gang", "pod"} {
			b.stands(w+"-mid", "", w+"-0", 200).stands(w+"-low", "", w+"-1", 100)
		}
		return b.ready().attack("g", "gang", 1, 1).comes("p", "pod")
	}
	sizes := func() teller {
		b := begin().nodes("gang", 2, 2).nodes("pod", 2, 2)
		for _, w := range []string{"gang", "pod"} {
			b.stands(w+"-small-0", "", w+"-0", 100).stands(w+"-small-1", "", w+"-0", 100).stands(w+"-large", "", w+"-1", 100, gpus(2))
		}
		return b.ready().attack("g", "gang", 1, 1, gpus(2)).comes("p", "pod", gpus(2))
	}
	kept := func() teller {
		b := begin().nodes("pod", 1, 2).nodes("group", 1, 2).nodes("aside", 1, 1).nodes("only", 1, 1)
		for _, app := range []string{"kept", "group", "only"} {
			b.Created("poddisruptionbudgets", historytest.Namespace, app)
		}
		b.stands("kept", "", "pod-0", 100).stands("free", "", "pod-0", 200).stands("beside", "", "group-0", 200).stands("only", "", "only-0", 100)
		b.group("v", 2, 100, historytest.Together).stands("v-0", "v", "group-0", 100).stands("v-1", "v", "aside-0", 100)
		return b.ready().attack("a", "pod", 1, 1).attack("b", "group", 1, 1).attack("c", "only", 1, 1)
	}
	extra := func() teller {
		return begin().nodes("before", 2, 1).nodes("after", 3, 1).across("before", "", "before", 2, 100).stands("after", "", "after-0", 100).
			ready().attack("b", "before", 1, 2).attack("a", "after", 2, 3)
	}
	return []told{
		{order, "the lowest", done(ranked().evict(pair("gang", "low")...).evict(pair("pod", "low")...), "0"), verdicts{"PRE-026": pass}},
		{order, "another", done(ranked().evict(pair("gang", "upper")...).evict(pair("pod", "low")...), "0"), verdicts{"PRE-026": fail}},
		{order, "two", done(ranked().evict(pair("gang", "low")...).evict(pair("pod", "low")...).evict(pair("pod", "mid")...), "0"), verdicts{"PRE-026": fail}},

		{lowest, "the lowest", done(uneven().evict("gang-low", "pod-low"), "1"), verdicts{"PRE-047": pass}},
		{lowest, "the emptier node", done(uneven().evict("gang-mid", "pod-mid"), "0"), verdicts{"PRE-047": fail}},

		{fewest, "one each", done(sizes().evict("gang-large", "pod-large"), "1"), verdicts{"PRE-052": pass}},
		{fewest, "two for the gang", sizes().evict("gang-small-0", "gang-small-1", "pod-large").bind("g-0", "gang-0").bind("p", "pod-1").settled(), verdicts{"PRE-052": fail}},

		{budgets, "all respected", kept().evict("free", "beside", "only").bind("a-0", "pod-0").bind("b-0", "group-0").bind("c-0", "only-0").settled(),
			verdicts{"PRE-042": pass, "PRE-043": pass, "PRE-051": pass}},
		{budgets, "none respected", kept().evict("kept", "v-0", "v-1").bind("a-0", "pod-0").bind("b-0", "group-0").inVain(),
			verdicts{"PRE-042": fail, "PRE-043": fail, "PRE-051": fail}},

		{optional, "for all", extra().evict("before-0", "before-1", "after").bind("b-0", "before-0").bind("b-1", "before-1").
			bind("a-0", "after-1").bind("a-1", "after-2").bind("a-2", "after-0").watched(), verdicts{"PRE-014": seen, "PRE-044": seen}},
	}
}
