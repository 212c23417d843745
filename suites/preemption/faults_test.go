package preemption

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"muster/suites/history/historytest"
	"muster/workloads/build"
)

// Stories about faults met in practice.
func fieldStories() []told {
	const taint, free, reversed = "preemption-one-node-tainted", "preemption-one-free-one-held", "preemption-priorities-reversed"
	const recreated, fragments = "preemption-victims-recreated", "preemption-frees-fragments"
	six := func() teller {
		b := begin().nodes("main", 6, 1).across("low", "", "main", 6, 100)
		b.ChangeNode("main-0", func(n *corev1.Node) { n.Spec.Taints = []corev1.Taint{{Key: "k", Effect: corev1.TaintEffectNoSchedule}} })
		return b.ready().attack("g", "main", 6, 6)
	}
	beside := func() teller {
		b := begin().nodes("main", 2, 1).nodes("wide", 2, 2).stands("wide-0", "", "wide-0", 100).stands("wide-1", "", "wide-1", 100).
			stands("wide-2", "", "wide-1", 100).stands("low", "", "main-1", 100)
		return b.ready().attack("g", "main", 2, 2).attack("w", "wide", 2, 2)
	}
	fill := func(b teller) *historytest.Builder {
		return b.bind("g-0", "main-0").bind("g-1", "main-1").bind("w-0", "wide-0").bind("w-1", "wide-0").settled()
	}
	odd := func() teller {
		b := begin().nodes("gang", 2, 1).nodes("pod", 2, 1)
		for _, w := range []string{"gang", "pod"} {
			b.group(w+"-strong", 1, 2000).stands(w+"-strong", w+"-strong", w+"-0", 100)
			b.group(w+"-weak", 1, 100).stands(w+"-weak", w+"-weak", w+"-1", 2000)
		}
		return b.ready().attack("g", "gang", 1, 1).comes("p", "pod")
	}
	made := func(by string) historytest.PodOption {
		return func(p *corev1.Pod) {
			p.Labels = map[string]string{build.AppLabel: by}
			historytest.Owned(by)(p)
			p.OwnerReferences[0].UID = "uid-of-" + p.OwnerReferences[0].UID
		}
	}
	replica := func(b teller, name, by string) teller {
		b.Pod(name, "", gpus(1), at(100), only("main"), made(by))
		return b
	}
	running := func() teller {
		b := begin().nodes("main", 2, 1)
		replica(replica(b, "quick-a", "quick"), "slow-a", "slow").bind("quick-a", "main-0").bind("slow-a", "main-1")
		return b.ready().attack("g", "main", 2, 2)
	}
	// apart: both are preempted and replaced; the quick one has ended.
	apart := func() teller {
		b := running()
		b.Evict("quick-a", "slow-a")
		replica(replica(b, "quick-b", "quick"), "slow-b", "slow").Gone("quick-a").Wait(5 * time.Second)
		return b
	}
	over := func(b teller) teller { b.Gone("slow-a"); return b }
	watched := func(b teller) *historytest.Builder { b.Mark("bound"); return b.watched() }
	shares := func() teller {
		b := begin().nodes("main", 4, 2).across("low", "", "main", 4, 100).across("top", "", "main", 4, 2000).ready()
		return b.attack("g", "main", 2, 2, gpus(2))
	}
	return []told{
		{taint, "nobody is touched", six().watched(), verdicts{"FIELD-010": pass}},
		{taint, "five die in vain", six().evict("low-1", "low-2", "low-3", "low-4", "low-5").watched(), verdicts{"FIELD-010": fail}},

		{free, "one each", fill(beside().evict("low", "wide-0")), verdicts{"FIELD-011": pass}},
		{free, "two for a gang of two", fill(beside().evict("low", "wide-0", "wide-1")), verdicts{"FIELD-011": fail}},
		{free, "none", beside().inVain(), verdicts{"FIELD-011": fail}},

		{reversed, "the weak groups go", odd().evict("gang-weak", "pod-weak").bind("g-0", "gang-1").bind("p", "pod-1").settled(), verdicts{"FIELD-012": pass}},
		{reversed, "pods decide", odd().evict("gang-strong", "pod-strong").bind("g-0", "gang-0").bind("p", "pod-0").settled(), verdicts{"FIELD-012": fail}},

		{recreated, "once each", watched(over(apart()).bind("g-0", "main-0").bind("g-1", "main-1")), verdicts{"FIELD-013": pass}},
		{recreated, "the replacement goes as well", watched(over(apart().bind("quick-b", "main-0").evict("quick-b")).bind("g-0", "main-0").bind("g-1", "main-1")),
			verdicts{"FIELD-013": fail}},
		{recreated, "never bound", watched(over(apart().bind("quick-b", "main-0"))), verdicts{"FIELD-013": fail}},

		{fragments, "nobody is touched", shares().watched(), verdicts{"FIELD-014": pass}},
		{fragments, "holes are made", shares().evict("low-0", "low-1", "low-2", "low-3").watched(), verdicts{"FIELD-014": fail}},
	}
}
