package preemption

import (
	"muster/suites/history/historytest"
)

// Stories about those who never preempt.
func policyStories() []told {
	const policies, off = "preemption-policies", "preemption-pods-say-never"
	three := func(opts ...historytest.PodOption) teller {
		b := begin()
		for _, w := range []string{"never", "pod", "lower"} {
			b.nodes(w, 1, 1).stands("low-"+w, "", w+"-0", 100)
		}
		return b.ready().attack("n", "never", 1, 1, opts...).attack("l", "lower", 1, 1).comes("p", "pod", opts...)
	}
	alone := func(opts ...historytest.PodOption) teller {
		return begin().nodes("main", 2, 1).across("low", "", "main", 2, 100).ready().attack("g", "main", 2, 2, opts...)
	}
	return []told{
		{policies, "as they say", three(historytest.Never).evict("low-lower").bind("l-0", "lower-0").watched(), verdicts{"PRE-008": pass, "PRE-010": pass, "PRE-016": pass}},
		{policies, "all preempt", three(historytest.Never).evict("low-lower", "low-never", "low-pod").bind("l-0", "lower-0").watched(),
			verdicts{"PRE-008": fail, "PRE-010": pass, "PRE-016": fail}},
		{policies, "nobody does", three(historytest.Never).watched(), verdicts{"PRE-008": pass, "PRE-010": fail, "PRE-016": pass}},
		{policies, "nobody says never", three().watched(), verdicts{"PRE-008": unclear, "PRE-016": unclear}},

		{off, "nobody is touched", alone(historytest.Never).watched(), verdicts{"PRE-009": pass}},
		{off, "they preempt", alone(historytest.Never).evict("low-0", "low-1").watched(), verdicts{"PRE-009": fail}},
	}
}
