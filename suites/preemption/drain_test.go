package preemption

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/suites/history/historytest"
)

// Stories about the time in which victims end.
func drainStories() []told {
	const drain = "preemption-victims-drain"
	start := func() teller {
		return begin().nodes("main", 4, 1).across("low", "", "main", 4, 100, historytest.Grace(drainSeconds)).ready().attack("g", "main", 2, 2)
	}
	// ending preempts pods, which are given so many seconds.
	ending := func(b teller, seconds int64, pods ...string) teller {
		b.Disrupt(pods...)
		for _, n := range pods {
			b.ChangePod(n, func(p *corev1.Pod) {
				when := metav1.NewTime(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
				p.DeletionTimestamp, p.DeletionGracePeriodSeconds = &when, &seconds
			})
		}
		return b
	}
	wait := func(b teller) teller {
		b.Mark("draining").Pod("late", "", gpus(1), at(100), only("main")).Wait(drainSeconds * time.Second)
		return b
	}
	named := func(b teller) teller { b.Nominate("g-0", "main-0").Nominate("g-1", "main-1"); return b }
	first := func() teller { return wait(named(ending(start(), drainSeconds, "low-0", "low-1"))) }
	over := func(b teller) teller { b.Gone("low-0", "low-1"); return b }
	run := func(b teller) *historytest.Builder { return b.bind("g-0", "main-0").bind("g-1", "main-1").settled() }
	good := verdicts{"PRE-011": pass, "PRE-062": pass, "PRE-063": seen, "PRE-064": pass, "PRE-069": pass, "COND-009": seen}
	return []told{
		{drain, "patiently", run(over(first())), good},
		{drain, "a second wave", run(over(ending(first(), drainSeconds, "low-2"))), verdicts{"PRE-011": fail, "PRE-064": pass}},
		{drain, "not nominated", run(over(wait(ending(start(), drainSeconds, "low-0", "low-1")))), verdicts{"PRE-062": fail, "PRE-011": pass}},
		{drain, "killed at once", run(over(wait(named(ending(start(), 0, "low-0", "low-1"))))), verdicts{"PRE-064": fail}},
		{drain, "the room is given away", over(first()).bind("late", "main-0").inVain(), verdicts{"PRE-069": fail}},
		{drain, "nobody goes", func() *historytest.Builder { return wait(start()).inVain() }(), verdicts{"PRE-011": unclear, "PRE-064": unclear}},
	}
}
