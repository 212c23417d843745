package check

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	. "muster/suites/history/historytest"
)

func TestPriorityAtRest(t *testing.T) {
	never := func(p *corev1.Pod) { n := corev1.PreemptNever; p.Spec.PreemptionPolicy = &n }
	gang := func(b *Builder, name string, priority int32, opts ...PodOption) *Builder {
		return b.Gang(name, 2, GangPriority(priority)).Pods(name, 2, append([]PodOption{Wants("gpu=2"), Priority(priority)}, opts...)...)
	}
	bind := func(b *Builder, name string) *Builder { return b.Bind(name+"-0", "node-0").Bind(name+"-1", "node-0") }
	// full: one node, taken by a filler; a high and a low gang wait for it together.
	full := func() *Builder { return gpus(1).Pod("f", "", Wants("gpu=4"), Placed("node-0")) }
	waiting := func(opts ...PodOption) *Builder {
		return gang(gang(full(), "high", 10, opts...), "low", 1).Wait(time.Minute).Gone("f")
	}
	try(t, priorityAtRest, []told{
		{"the high one is bound", bind(waiting(), "high").Wait(settled), pass},
		{"the low one was bound first and evicted", bind(bind(waiting(), "low").Wait(time.Second).Gone("low-0", "low-1"), "high").Wait(settled), pass},
		{"the low one is bound instead", bind(waiting(), "low").Wait(settled), fail},
		{"the low one is bound instead, a moment ago", bind(waiting(), "low").Wait(time.Second), nothing},
		{"the low one is bound instead, and the queue is long", bind(waiting(), "low").Wait(30 * time.Second).Canary(20 * time.Second), nothing},
		{"the low one is bound instead, for longer than the queue is long", bind(waiting(), "low").Wait(settled).Canary(20 * time.Second), fail},
		{"both find room, the high one first", bind(bind(waiting(), "high").Wait(time.Second).Gone("high-0", "high-1"), "low").Wait(settled), nothing},
		{"both are bound on two nodes", waiting().Nodes(1, Has("gpu=4")).Bind("high-0", "node-0").Bind("high-1", "node-0").
			Bind("low-0", "node-1").Bind("low-1", "node-1").Wait(settled), pass},
		{"the low one comes after the room and takes it", bind(gang(gang(full(), "high", 10).Wait(time.Minute).Gone("f"), "low", 1), "low").Wait(settled), fail},
		{"the high one came after the low one was bound", gang(bind(gang(gpus(1), "low", 1).Wait(time.Second), "low").Wait(time.Minute), "high", 10).Wait(settled), nothing},
		{"the high one came a moment before", bind(gang(gang(gpus(1), "low", 1).Wait(time.Minute), "high", 10), "low").Wait(settled), nothing},
		{"equal priorities", bind(gang(gang(full(), "high", 1), "low", 1).Wait(time.Minute).Gone("f"), "low").Wait(settled), nothing},
		{"the high one would not have fitted", bind(full().Gang("high", 3, GangPriority(10)).Pods("high", 3, Wants("gpu=2"), Priority(10)).
			Gang("low", 2, GangPriority(1)).Pods("low", 2, Wants("gpu=2"), Priority(1)).Wait(time.Minute).Gone("f"), "low").Wait(settled), nothing},
		{"the high one never preempts", bind(waiting(never), "low").Wait(settled), nothing},
		{"the driver bound the low one", waiting().DriverBind("low-0", "node-0").DriverBind("low-1", "node-0").Wait(settled), nothing},
		{"the high one is inconsistent", bind(gang(full().Gang("high", 2, GangPriority(10)).Pods("high", 2, Wants("gpu=2"), Priority(9)), "low", 1).
			Wait(time.Minute).Gone("f"), "low").Wait(settled), nothing},
		{"plain pods", full().Pod("high", "", Wants("gpu=4"), Priority(10)).Pod("low", "", Wants("gpu=4")).Wait(time.Minute).Gone("f").
			Bind("low", "node-0").Wait(settled), fail},
		{"another kind of place", full().Pod("high", "", Wants("gpu=4"), Priority(10)).Pod("low", "", Wants("gpu=3")).Wait(time.Minute).Gone("f").
			Bind("low", "node-0").Wait(settled), nothing},
		{"the scheduler has been away", bind(waiting(), "low").StopScheduler().Wait(settled), nothing},
		{"resource versions do not order", gang(gang(gpus(1, UnknownStorage).Pod("f", "", Wants("gpu=4"), Placed("node-0")), "high", 10), "low", 1).
			Wait(time.Minute).Gone("f").Bind("low-0", "node-0").Bind("low-1", "node-0").Wait(settled), doubt},
	})
}
