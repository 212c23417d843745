package preemption

import (
	"muster/suites/history/historytest"
)

// Stories about what goes together.
func unitStories() []told {
	const together, apart, replaced, outranks = "preemption-together", "preemption-apart", "preemption-member-replaced", "preemption-group-outranks-its-pods"
	groups := func(names ...string) func(opts ...historytest.GangOption) teller {
		return func(opts ...historytest.GangOption) teller {
			b := begin()
			for _, w := range names {
				v := "victim-" + w
				b.nodes(w, 3, 1).group(v, 3, 100, opts...).across(v, v, w, 3, 100)
			}
			b.ready()
			for _, w := range names {
				if w == "pod" {
					b.comes("for-pod", "pod")
				} else {
					b.attack("for-"+w, w, 1, 1)
				}
			}
			return b
		}
	}
	all := groups("gang", "basic", "pod")
	run := func(b teller) teller {
		return b.bind("for-gang-0", "gang-0").bind("for-basic-0", "basic-0").bind("for-pod", "pod-0")
	}
	three := func(w string) []string {
		return []string{"victim-" + w + "-0", "victim-" + w + "-1", "victim-" + w + "-2"}
	}
	whole := func() teller {
		return run(all(historytest.Together).evict(three("gang")...).evict(three("basic")...).evict(three("pod")...))
	}
	said := func(b teller) teller { b.Disrupted("victim-gang"); return b }
	single := groups("gang", "pod")
	ran := func(b teller) teller { return b.bind("for-gang-0", "gang-0").bind("for-pod", "pod-0") }
	lost := func() teller {
		return begin().nodes("main", 2, 1).group("v", 2, 100).across("v", "v", "main", 2, 100).ready().comes("p", "main").
			evict("v-0").bind("p", "main-0")
	}
	more := func(b teller) teller {
		b.Mark("preempted")
		b.nodes("late", 1, 1)
		b.Pod("replacement", "v", gpus(1), at(100), only("late"))
		return b
	}
	odd := func(group int32) teller {
		return begin().nodes("main", 2, 1).group("single", 1, group).stands("single", "single", "main-0", 100).
			group("all", 1, group, historytest.Together).stands("all", "all", "main-1", 100).ready().attack("g", "main", 1, 1).comes("p", "main")
	}
	const gone, equal = "preemption-group-is-gone", "preemption-equal-victims"
	left := func(goes bool) teller {
		b := begin().nodes("main", 3, 1).group("v", 3, 100, historytest.Together).across("v", "v", "main", 3, 100)
		if goes {
			b.GangGone("v")
		}
		return b.ready().comes("p", "main")
	}
	pairs := func(newer int32) teller {
		b := begin().nodes("age", 2, 1).nodes("kind", 2, 1).nodes("size", 3, 1)
		b.stands("older-0", "", "age-0", 100).stands("newer-0", "", "age-1", newer).stands("pod-0", "", "kind-0", 100)
		b.group("member", 1, 100).stands("member-0", "member", "kind-1", 100)
		b.group("small", 1, 100, historytest.Together).stands("small-0", "small", "size-0", 100)
		b.group("large", 2, 100, historytest.Together).stands("large-0", "large", "size-1", 100).stands("large-1", "large", "size-2", 100)
		b.ready()
		for _, w := range []string{"age", "kind", "size"} {
			b.attack("for-"+w, w, 1, 1)
		}
		return b
	}
	const stale = "preemption-stale-nomination"
	overrun := func(nominate bool) teller {
		b := begin().nodes("main", 2, 1).stands("slow", "", "main-0", 100).stands("upper", "", "main-1", 300).ready()
		b.Pod("m", "", gpus(1), at(200), only("main"))
		if nominate {
			b.Nominate("m", "main-0")
		}
		b.Mark("nominated")
		return b.attack("g", "main", 2, 2).evict("slow", "upper").bind("g-0", "main-0").bind("g-1", "main-1")
	}
	cleared := func(b teller) teller { b.Nominate("m", ""); return b }
	return []told{
		{stale, "it stays", overrun(true).settled(), verdicts{"PRE-068": seen}},
		{stale, "it is cleared", cleared(overrun(true)).settled(), verdicts{"PRE-068": seen}},
		{stale, "there was none", overrun(false).settled(), verdicts{"PRE-068": unclear}},

		{gone, "one goes", left(true).evict("v-0").bind("p", "main-0").settled(), verdicts{"PRE-028": seen}},
		{gone, "all go", left(true).evict("v-0", "v-1", "v-2").bind("p", "main-0").settled(), verdicts{"PRE-028": seen}},
		{gone, "the group is still there", left(false).evict("v-0").bind("p", "main-0").settled(), verdicts{"PRE-028": unclear}},

		{equal, "one of each", pairs(100).evict("newer-0", "pod-0", "small-0").settled(), verdicts{"PRE-041": seen}},
		{equal, "nobody goes", pairs(100).inVain(), verdicts{"PRE-041": seen}},
		{equal, "they are not equal", pairs(90).evict("newer-0", "pod-0", "small-0").settled(), verdicts{"PRE-041": unclear}},

		{together, "whole groups go, and say so", said(whole()).settled(), verdicts{"PRE-020": pass, "PRE-021": pass, "PRE-023": pass, "PRE-066": pass}},
		{together, "whole groups go without a word", whole().settled(), verdicts{"PRE-020": pass, "PRE-066": fail}},
		{together, "one member each", run(all(historytest.Together).evict("victim-gang-0", "victim-basic-0", "victim-pod-0")).settled(),
			verdicts{"PRE-020": fail, "PRE-021": fail, "PRE-023": fail, "PRE-066": unclear}},

		{apart, "one member each", ran(single().evict("victim-gang-0", "victim-pod-0")).settled(), verdicts{"PRE-022": pass, "PRE-024": pass}},
		{apart, "whole groups", ran(single().evict(three("gang")...).evict(three("pod")...)).settled(), verdicts{"PRE-022": fail, "PRE-024": fail}},

		{replaced, "it joins the one that stayed", more(lost()).bind("replacement", "late-0").settled(), verdicts{"PRE-067": pass}},
		{replaced, "it waits for a quorum of its own", more(lost()).inVain(), verdicts{"PRE-067": fail}},
		{replaced, "all were preempted", more(lost().evict("v-1")).bind("replacement", "late-0").settled(), verdicts{"PRE-067": unclear}},

		{outranks, "nobody is touched", odd(2000).watched(), verdicts{"PRE-027": pass}},
		{outranks, "a member goes", odd(2000).evict("single").watched(), verdicts{"PRE-027": fail}},
		{outranks, "a group goes", odd(2000).evict("all").bind("g-0", "main-1").watched(), verdicts{"PRE-027": fail}},
		{outranks, "the groups do not outrank it", odd(500).watched(), verdicts{"PRE-027": unclear}},
	}
}
