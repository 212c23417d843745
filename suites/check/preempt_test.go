package check

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	. "muster/suites/history/historytest"
)

// held: n nodes of one GPU, each held by a pod low-i of priority 1, and enough time for everybody to know.
func held(n int, change ...NodeOption) *Builder {
	b := New().Nodes(n, append([]NodeOption{Has("gpu=1")}, change...)...)
	for i := range n {
		b.Pod(lowName(i), "", Wants("gpu=1"), Priority(1), Placed(nodeName(i)))
	}
	return b.Wait(time.Minute)
}

func lowName(i int) string  { return "low-" + string(rune('0'+i)) }
func nodeName(i int) string { return "node-" + string(rune('0'+i)) }

// wants one GPU at priority 10, as a gang.
func high(b *Builder, quorum int32, pods int, opts ...PodOption) *Builder {
	return b.Gang("g", quorum, GangPriority(10)).Pods("g", pods, append([]PodOption{Wants("gpu=1"), Priority(10)}, opts...)...)
}

func TestPreemptionJustified(t *testing.T) {
	made := func(b *Builder) *Builder {
		return b.Evict("low-0", "low-1").Gone("low-0", "low-1").Bind("g-0", "node-0").Bind("g-1", "node-1").Wait(settled)
	}
	try(t, preemptionJustified, []told{
		{"nobody was preempted", high(held(2), 2, 2).Wait(settled), nothing},
		{"room was made", made(high(held(2), 2, 2)), pass},
		{"room was made for a pod", held(1).Pod("p", "", Wants("gpu=1"), Priority(10)).Evict("low-0").Gone("low-0").Bind("p", "node-0"), pass},
		{"nobody waited", held(1).Evict("low-0").Wait(settled), fail},
		{"an equal waited", held(1).Pod("p", "", Wants("gpu=1"), Priority(1)).Evict("low-0").Wait(settled), fail},
		{"a lower one waited", held(1).Pod("p", "", Wants("gpu=1")).Evict("low-0").Wait(settled), fail},
		{"a gang below its quorum waited", high(held(2), 2, 1).Evict("low-0").Wait(settled), fail},
		{"a gated gang waited", high(held(2), 2, 2, Gated).Evict("low-0", "low-1").Wait(settled), fail},
		{"somebody waited who never preempts", high(held(2), 2, 2, Never).Evict("low-0", "low-1").Wait(settled), fail},
		{"another scheduler's pod waited", high(held(2), 2, 2, For("other")).Evict("low-0", "low-1").Wait(settled), fail},
		{"somebody waited who had been bound long before", made(high(held(3), 2, 2)).Evict("low-2").Wait(settled), "Fail Pass"},
		{"it does not fit all the same", high(held(2), 3, 3).Evict("low-0", "low-1").Wait(settled), fail},
		{"a taint keeps it out", high(held(2), 2, 2).ChangeNode("node-0", func(n *corev1.Node) {
			n.Spec.Taints = []corev1.Taint{{Key: "k", Effect: corev1.TaintEffectNoSchedule}}
		}).Wait(time.Minute).Evict("low-0", "low-1").Wait(settled), fail},
		{"a taint that has just come", high(held(2), 2, 2).ChangeNode("node-0", func(n *corev1.Node) {
			n.Spec.Taints = []corev1.Taint{{Key: "k", Effect: corev1.TaintEffectNoSchedule}}
		}).Evict("low-0", "low-1").Wait(settled), doubt},
		{"one of the victims goes first", high(held(2), 2, 2).Evict("low-0").Wait(time.Second).Evict("low-1").Wait(settled), pass},
		{"it fitted as it was", high(held(2).Nodes(2, Has("gpu=1")).Wait(time.Minute), 2, 2).Evict("low-0").Wait(settled), fail},
		{"room that has just come", high(held(2).Nodes(2, Has("gpu=1")), 2, 2).Evict("low-0", "low-1").Wait(settled), pass},
		{"the driver deletes", high(held(2), 3, 3).DriverDelete("low-0", "low-1").Wait(settled), nothing},
		{"somebody else deletes", high(held(2), 3, 3).Deleting("low-0", "low-1").Wait(settled), nothing},
		{"the victim's group is of higher priority", high(held(1).Gang("v", 1, GangPriority(20)).Nodes(1, Has("gpu=1")).
			Pod("v-0", "v", Wants("gpu=1"), Priority(1), Placed("node-1")).Wait(time.Minute), 1, 1).Evict("v-0").Wait(settled), fail},
		{"the victim's group is of lower priority", high(New().Nodes(1, Has("gpu=1")).Gang("v", 1, GangPriority(1)).
			Pod("v-0", "v", Wants("gpu=1"), Priority(20), Placed("node-0")).Wait(time.Minute), 1, 1).Evict("v-0").Wait(settled), pass},
		{"the victim's group is not known", high(New().Nodes(1, Has("gpu=1")).
			Pod("v-0", "v", Wants("gpu=1"), Priority(20), Placed("node-0")).Wait(time.Minute), 1, 1).Evict("v-0").Wait(settled), nothing},
		{"resource versions do not order", New(UnknownStorage).Nodes(1, Has("gpu=1")).Pod("low", "", Wants("gpu=1"), Placed("node-0")).Wait(time.Minute).
			Gang("g", 2, GangPriority(10)).Pods("g", 2, Wants("gpu=1"), Priority(10)).Evict("low").Wait(settled), doubt},
		{"a gap in pods", made(high(held(2).BreakWatch("pods"), 2, 2)), doubt},
	})
}

func TestPreemptionAtomic(t *testing.T) {
	group := func(opts ...GangOption) *Builder {
		return New().Nodes(2, Has("gpu=1")).Gang("v", 2, append([]GangOption{GangPriority(1)}, opts...)...).
			Pod("v-0", "v", Wants("gpu=1"), Placed("node-0")).Pod("v-1", "v", Wants("gpu=1"), Placed("node-1")).Wait(time.Minute)
	}
	try(t, preemptionAtomic, []told{
		{"all of it", group(Together).Evict("v-0", "v-1").Wait(settled), pass},
		{"all of it, one after the other", group(Together).Evict("v-0").Wait(5 * time.Second).Evict("v-1").Wait(settled), pass},
		{"a part of it", group(Together).Evict("v-0").Wait(settled), fail},
		{"a part of it, and much later the rest", group(Together).Evict("v-0").Wait(settled).Evict("v-1").Wait(settled), fail},
		{"a part of it, and the record ends", group(Together).Evict("v-0").Wait(time.Second), doubt},
		{"a part of it, the rest had finished", group(Together).Finish(corev1.PodSucceeded, "v-1").Evict("v-0").Wait(settled), pass},
		{"a part of it, the rest was just bound", New().Nodes(2, Has("gpu=1")).Gang("v", 1, Together).Pods("v", 2).Bind("v-0", "node-0").
			Wait(time.Minute).Bind("v-1", "node-1").Evict("v-0").Wait(settled), nothing},
		{"members that may go singly", group().Evict("v-0").Wait(settled), nothing},
		{"nobody was preempted", group(Together).Wait(settled), nothing},
		{"the driver deleted one", group(Together).DriverDelete("v-0").Wait(settled), nothing},
		{"the group was gone", group(Together).GangGone("v").Evict("v-0").Wait(settled), nothing},
		{"the scheduler was stopped", group(Together).Evict("v-0").StopScheduler().Wait(settled), doubt},
		{"the scheduler crashed", group(Together).Evict("v-0").Crash("exit status 2").Wait(settled), nothing},
		{"a gap in pods", group(Together).Evict("v-0").BreakWatch("pods").Wait(settled), doubt},
	})
}

func TestPreemptionMinimal(t *testing.T) {
	// two nodes of 2 GPUs: two pods on the one, one on the other.
	uneven := func(large int32) *Builder {
		return New().Nodes(2, Has("gpu=2")).Pod("a", "", Wants("gpu=1"), Priority(1), Placed("node-0")).Pod("b", "", Wants("gpu=1"), Priority(1), Placed("node-0")).
			Pod("c", "", Wants("gpu=2"), Priority(large), Placed("node-1")).Wait(time.Minute)
	}
	two := func(b *Builder) *Builder { return b.Pod("p", "", Wants("gpu=2"), Priority(10)) }
	grouped := func(opts ...GangOption) *Builder {
		return New().Nodes(3, Has("gpu=1")).Gang("v", 2, append([]GangOption{GangPriority(1)}, opts...)...).
			Pod("v-0", "v", Wants("gpu=1"), Placed("node-0")).Pod("v-1", "v", Wants("gpu=1"), Placed("node-1")).
			Pod("c", "", Wants("gpu=1"), Priority(2), Placed("node-2")).Wait(time.Minute).Pod("p", "", Wants("gpu=1"), Priority(10))
	}
	try(t, preemptionMinimal, []told{
		{"one instead of two", two(uneven(1)).Evict("c").Wait(settled), pass},
		{"two instead of one", two(uneven(1)).Evict("a", "b").Wait(settled), fail},
		{"two of lower priority", two(uneven(2)).Evict("a", "b").Wait(settled), pass},
		{"one of higher priority", two(uneven(2)).Evict("c").Wait(settled), fail},
		{"more than needed on the node", held(2).Pod("p", "", Wants("gpu=1"), Priority(10)).Evict("low-0", "low-1").Wait(settled), fail},
		{"a member beyond the quorum", high(held(2), 1, 2).Evict("low-0", "low-1").Wait(settled), pass},
		{"a group counts as one", grouped(Together).Evict("v-0", "v-1").Wait(settled), pass},
		{"its members count singly", grouped().Evict("v-0", "v-1").Wait(settled), fail},
		{"one member", grouped().Evict("v-0").Wait(settled), pass},
		{"useless is not its business", high(held(2), 3, 3).Evict("low-0").Wait(settled), nothing},
		{"two waited", two(uneven(1)).Pod("q", "", Wants("gpu=2"), Priority(10)).Evict("a", "b").Wait(settled), nothing},
		{"a budget was there", two(uneven(1).Created("poddisruptionbudgets", Namespace, "b")).Evict("a", "b").Wait(settled), nothing},
		{"one was ending already", two(uneven(1).DriverDelete("a")).Wait(10 * time.Second).Evict("b").Wait(settled), pass},
		{"too many to try", manyUnits(), nothing},
	})
}

// manyUnits: twenty of forty pods make room for a gang of twenty.
func manyUnits() *Builder {
	b := New().Nodes(40, Has("gpu=1"))
	for i := range 40 {
		b.Pod("low-"+string(rune('A'+i)), "", Wants("gpu=1"), Placed("node-"+itoa(i)))
	}
	b.Wait(time.Minute).Gang("g", 20, GangPriority(10)).Pods("g", 20, Wants("gpu=1"), Priority(10))
	for i := range 20 {
		b.Evict("low-" + string(rune('A'+i)))
	}
	return b.Wait(settled)
}

func itoa(i int) string {
	if i < 10 {
		return string(rune('0' + i))
	}
	return string(rune('0'+i/10)) + string(rune('0'+i%10))
}

func TestNoLivelock(t *testing.T) {
	// round: a pod of a controller is preempted and replaced on its node.
	round := func(b *Builder, from, to string) *Builder {
		return b.Evict(from).Gone(from).Pod(to, "", Wants("gpu=1"), Owned("r")).Wait(time.Second).Bind(to, "node-0").Wait(time.Second)
	}
	begin := func() *Builder {
		return high(New().Nodes(1, Has("gpu=1")).Pod("v-0", "", Wants("gpu=1"), Owned("r"), Placed("node-0")).Wait(time.Minute), 1, 1)
	}
	try(t, noLivelock, []told{
		{"nobody was preempted", begin().Wait(settled), nothing},
		{"once, and placed", begin().Evict("v-0").Gone("v-0").Bind("g-0", "node-0").Wait(settled), pass},
		{"twice", round(round(begin(), "v-0", "v-1"), "v-1", "v-2").Wait(settled), pass},
		{"three times", round(round(round(begin(), "v-0", "v-1"), "v-1", "v-2"), "v-2", "v-3").Wait(settled), fail},
		{"three times, for three", func() *Builder {
			b := New().Nodes(1, Has("gpu=1")).Pod("v-0", "", Wants("gpu=1"), Owned("r"), Placed("node-0")).Wait(time.Minute)
			for i := range 3 {
				p := "p-" + itoa(i)
				b.Pod(p, "", Wants("gpu=1"), Priority(10)).Evict("v-"+itoa(i)).Gone("v-"+itoa(i)).Bind(p, "node-0").Wait(time.Minute).
					DriverDelete(p).Gone(p).Pod("v-"+itoa(i+1), "", Wants("gpu=1"), Owned("r")).Bind("v-"+itoa(i+1), "node-0").Wait(time.Minute)
			}
			return b
		}(), pass},
		{"wave after wave in vain", high(held(3), 4, 4).Evict("low-0").Wait(time.Minute).Evict("low-1").Wait(time.Minute).Evict("low-2").Wait(settled), fail},
		{"wave after wave, placed in between", high(held(3), 1, 1).Evict("low-0").Gone("low-0").Bind("g-0", "node-0").Wait(time.Minute).
			Evict("low-1").Wait(time.Minute).Evict("low-2").Wait(settled), pass},
	})
}
