package check

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	. "muster/suites/history/historytest"
)

func TestNoPartialAtRest(t *testing.T) {
	two := func() *Builder { return half(gpus(2), "g", 3, 3).Bind("g-0", "node-0").Bind("g-1", "node-0") }
	try(t, noPartialAtRest, []told{
		{"all bound", two().Bind("g-2", "node-1").Wait(settled), pass},
		{"two of three stay", two().Wait(settled), fail},
		{"two of three for too short a time to tell", two().Wait(time.Second), doubt},
		{"two of three for long, then the third", two().Wait(settled).Bind("g-2", "node-1").Wait(settled), fail},
		{"the third comes within the settle bound", two().Wait(20*time.Second).Bind("g-2", "node-1").Wait(settled), pass},
		{"nothing bound", half(gpus(2), "g", 3, 3).Wait(settled), nothing},
		{"no gang at all", gpus(1).Pod("p", "").Bind("p", "node-0").Wait(settled), nothing},
		{"a basic group has no quorum", gpus(1).Basic("g").Pods("g", 3).Bind("g-0", "node-0").Wait(settled), nothing},
		{"more members than the quorum, the rest waits", half(gpus(2), "g", 2, 4).Bind("g-0", "node-0").Bind("g-1", "node-0").Wait(settled), pass},

		{"the quorum is raised after it was met", two().Bind("g-2", "node-1").Wait(time.Second).Quorum("g", 5).Pods("g", 2).Wait(settled), pass},
		{"the quorum is raised after the first bind", half(gpus(2), "g", 2, 4).Bind("g-0", "node-0").Quorum("g", 3).Bind("g-1", "node-0").Wait(settled), pass},
		{"the quorum was raised a moment before the first bind", half(gpus(2), "g", 2, 4).Quorum("g", 3).Bind("g-0", "node-0").Bind("g-1", "node-0").Wait(settled), pass},
		{"the quorum was raised long before the first bind", half(gpus(2), "g", 2, 4).Quorum("g", 3).Wait(time.Minute).
			Bind("g-0", "node-0").Bind("g-1", "node-0").Wait(settled), fail},
		{"the quorum is lowered to what is bound", two().Wait(10*time.Second).Quorum("g", 2).Wait(settled), pass},

		{"a member is lost after the quorum was met", two().Bind("g-2", "node-1").Wait(time.Minute).Gone("g-1").Wait(settled), pass},
		{"a member is lost while the binds are under way", two().Wait(time.Second).Gone("g-2").Wait(settled), nothing},
		{"a bound member is lost meanwhile", two().Wait(time.Second).Deleting("g-1").Gone("g-1").Wait(settled), nothing},
		{"a member is lost after the settle bound", two().Wait(settled).Gone("g-2").Wait(settled), fail},
		{"members finish after the quorum was met", two().Bind("g-2", "node-1").Wait(time.Second).
			Finish(corev1.PodSucceeded, "g-0", "g-1").Wait(settled), pass},
		{"a bound member finishes before the third is bound", two().Wait(time.Second).Finish(corev1.PodSucceeded, "g-0").
			Wait(time.Second).Bind("g-2", "node-1").Wait(settled), pass},

		{"the driver bound one, nobody else any", half(gpus(2), "g", 3, 3).DriverBind("g-0", "node-0").Wait(settled), nothing},
		{"the driver bound two, the scheduler the third", half(gpus(2), "g", 3, 3).DriverBind("g-0", "node-0").DriverBind("g-1", "node-0").
			Wait(time.Minute).Bind("g-2", "node-1").Wait(settled), pass},
		{"the driver bound one, the scheduler another", half(gpus(2), "g", 3, 3).DriverBind("g-0", "node-0").Wait(time.Minute).
			Bind("g-1", "node-0").Wait(settled), fail},
		{"the driver takes the room meanwhile", two().Pod("x", "", Wants("gpu=4")).DriverBind("x", "node-1").Wait(settled), doubt},
		{"a node goes meanwhile", two().NodeGone("node-1").Wait(settled), doubt},
		{"a member of another scheduler", gpus(2).Gang("g", 3).Pods("g", 2).Pods("g", 1, For("other")).Wait(time.Second).
			Bind("g-0", "node-0").Bind("g-1", "node-0").Wait(settled), doubt},

		{"the scheduler is stopped between binds", two().StopScheduler().Wait(settled).StartScheduler().Wait(time.Second).Bind("g-2", "node-1").Wait(settled), pass},
		{"the scheduler is restarted and does not complete it", two().StopScheduler().Wait(settled).StartScheduler().Wait(settled), fail},
		{"the group is deleted meanwhile", two().Wait(time.Second).GangDeleting("g").Wait(settled).GangGone("g"), pass},
		{"a new group of the name asks for more", half(gpus(2), "g", 2, 2).Bind("g-0", "node-0").Bind("g-1", "node-0").Wait(time.Second).
			GangGone("g").Gang("g", 4).Wait(settled), pass},
		{"pods bound before their group came, and one after", gpus(2).Pods("g", 3).Wait(time.Second).Bind("g-0", "node-0").Wait(time.Second).
			Gang("g", 3).Wait(time.Second).Bind("g-1", "node-0").Wait(settled), fail},
		{"the condition turns True before the binds", half(gpus(2), "g", 3, 3).Satisfied("g", "True", "Scheduled").Bind("g-0", "node-0").
			Bind("g-1", "node-0").Wait(time.Second).Bind("g-2", "node-1").Wait(settled), pass},
		{"a member is gated", gpus(2).Gang("g", 3).Pods("g", 2).Pods("g", 1, Gated).Wait(time.Second).
			Bind("g-0", "node-0").Bind("g-1", "node-0").Wait(settled), fail},
		{"a gap", gpus(2).BreakWatch("podgroups").Gang("g", 3).Pods("g", 3).Wait(time.Second).Bind("g-0", "node-0").Wait(settled), doubt},
		{"a gap in what does not matter", gpus(2).BreakWatch("nodes").Gang("g", 3).Pods("g", 3).Wait(time.Second).Bind("g-0", "node-0").Wait(settled), fail},
		{"resource versions do not order: time still tells", half(gpus(2, UnknownStorage), "g", 3, 3).Bind("g-0", "node-0").Wait(settled), fail},
		{"a shorter settle bound", half(gpus(2, SettleSeconds(1, 1)), "g", 3, 3).Bind("g-0", "node-0").Wait(10*time.Second).
			Bind("g-1", "node-0").Bind("g-2", "node-1"), fail},
		{"the third comes late, as does everybody", two().Wait(35*time.Second).Canary(20*time.Second).Bind("g-2", "node-1").Wait(settled), pass},
		{"the third comes late, everybody else soon", two().Wait(35*time.Second).Canary(3*time.Second).Bind("g-2", "node-1").Wait(settled), fail},
		{"the queue was long before only", half(gpus(2), "g", 3, 3).Wait(time.Minute).Canary(20*time.Second).Wait(time.Second).
			Bind("g-0", "node-0").Bind("g-1", "node-0").Wait(35*time.Second).Bind("g-2", "node-1").Wait(settled), fail},
		{"two of three stay though the queue is long", two().Wait(time.Minute).Canary(20 * time.Second).Wait(time.Minute), fail},
		{"two of three while the queue is long, too short a time to tell", two().Wait(35 * time.Second).Canary(20 * time.Second), doubt},
		{"two gangs, one partial", half(half(gpus(4), "a", 2, 2), "b", 2, 2).Bind("a-0", "node-0").Bind("a-1", "node-0").
			Bind("b-0", "node-1").Wait(settled), "Fail Pass"},
	})
}
