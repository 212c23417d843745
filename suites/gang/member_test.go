package gang

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"muster/suites/history/historytest"
)

func memberStories() []story {
	const absent = "gang-foreign-member-waits"
	apart := func(quorum int32) *historytest.Builder {
		return room(3).Gang("g", quorum).Pods("g", 1, worker, historytest.For(foreignScheduler)).Pods("g", 2, worker)
	}
	const late, count, foreign, odd = "gang-late-member-joins", "gang-bound-members-count", "gang-foreign-member", "gang-member-of-other-priority"
	const joins, lost, runs = "gang-member-joins-while-tried", "gang-member-deleted-below-quorum", "gang-running-gang-loses-a-member"
	quorum := func() *historytest.Builder {
		return bind(room(3).Gang("g", 2).Pods("g", 2, worker), 0, "g-0", "g-1").Mark("quorum bound").Pods("g", 1, worker)
	}
	placed := func(o ...historytest.PodOption) *historytest.Builder {
		return room(3).Gang("g", 3).Pods("g", 1, append(o, worker, historytest.Placed("node-0"))...).Mark("one placed").Pods("g", 2, worker)
	}
	stranger := func() *historytest.Builder {
		return room(3).Gang("g", 2).Pods("g", 1, worker, historytest.For(foreignScheduler), historytest.Placed("node-0")).
			Mark("foreign member bound").Pods("g", 2, worker)
	}
	differs := func() *historytest.Builder {
		return room(3).Gang("g", 3, historytest.GangPriority(1000)).Pods("g", 1, worker, historytest.Priority(900)).
			Pods("g", 2, worker, historytest.Priority(1000))
	}
	mended := func(b *historytest.Builder) *historytest.Builder {
		return watch(b, "one differs", "watched").Gone("g-0").Mark("odd one gone").Pods("g", 1, worker, historytest.Priority(1000))
	}
	tried := func() *historytest.Builder {
		b := room(5).Gang("g", 3)
		for _, n := range []string{"node-0", "node-1", "node-2"} {
			b.Pod("taken-"+n, "", worker, historytest.Placed(n))
		}
		return b.Pods("g", 5, worker).Gone("taken-node-0", "taken-node-1", "taken-node-2").Mark("room for all")
	}
	below := func() *historytest.Builder {
		return room(3).Pod("taken-0", "", worker, historytest.Placed("node-0")).Gang("g", 3).Pods("g", 3, worker).
			Gone("g-0").Mark("below quorum").Gone("taken-0")
	}
	running := func() *historytest.Builder {
		return bind(room(3).Gang("g", 3).Pods("g", 3, worker), 0, "g-0", "g-1", "g-2").Mark("running").DriverDelete("g-0").Gone("g-0")
	}
	const ended, going, policy = "gang-members-ended", "gang-group-being-deleted", "gang-member-of-other-policy"
	done := func(pods ...string) *historytest.Builder {
		return bind(room(3).Gang("g", 3).Pods("g", 3, worker), 0, "g-0", "g-1", "g-2").Mark("quorum bound").
			Finish(corev1.PodSucceeded, pods...).Mark("one runs").Pods("g", 1, worker)
	}
	leaving := func() *historytest.Builder {
		return room(3).Gang("g", 3).Pods("g", 2, worker).GangDeleting("g").Mark("on its way out").Pods("g", 1, worker)
	}
	mixed := func(o ...historytest.PodOption) *historytest.Builder {
		same := []historytest.PodOption{worker, historytest.Priority(1000)}
		return room(3).Gang("g", 3, historytest.GangPriority(1000)).Pods("g", 1, append(same, o...)...).Pods("g", 2, same...)
	}
	const gatedJoins, waiting = "gang-gated-member-joins", "gang-claims-without-room"
	short := func(o ...historytest.PodOption) *historytest.Builder {
		return room(3).Pod("taken-0", "", worker, historytest.Placed("node-0")).Pod("taken-1", "", worker, historytest.Placed("node-1")).
			Gang("g", 2).Pods("g", 2, worker).Reject("g-0", "g-1").Mark("waits for room").Pods("g", 1, append(o, worker)...).Gone("taken-0", "taken-1")
	}
	claimed := func(slots int, given ...string) *historytest.Builder {
		b := historytest.New().Nodes(slots, historytest.Has("nvidia.com/gpu=1"), historytest.NodeLabel("pool", "main")).
			Node("aside", historytest.Has("nvidia.com/gpu=1"), historytest.NodeLabel("pool", "aside")).Gang("g", 2)
		pods := []string{"plain", "g-0", "g-1"}
		b.Pod("g-0", "g", worker, mounts("g-0"), on("pool", "main")).Pod("g-1", "g", worker, mounts("g-1"), on("pool", "main"))
		b.Pod("plain", "", worker, mounts("plain"), on("pool", "aside"))
		return lookedAt(watch(b, "one slot short", "watched"), pods, given)
	}
	return []story{
		{gatedJoins, "waits", watch(short(historytest.Gated), "room", "watched"), verdicts{"GANG-020": seen}},
		{gatedJoins, "is bound", watch(bind(short(historytest.Gated).Mark("room"), 0, "g-0", "g-1"), "later", "watched"), verdicts{"GANG-020": seen}},
		{gatedJoins, "nobody is gated", watch(short(), "room", "watched"), verdicts{"GANG-020": unclear}},

		{waiting, "nothing is given", claimed(1, "plain"), verdicts{"GANG-065": seen}},
		{waiting, "they are given", claimed(1, "plain", "g-0"), verdicts{"GANG-065": seen}},
		{waiting, "there is room", claimed(2, "plain"), verdicts{"GANG-065": unclear}},

		{ended, "waits", watch(done("g-1", "g-2"), "one more", "watched"), verdicts{"GANG-008": seen}},
		{ended, "is bound", watch(done("g-1", "g-2").Bind("g-3", "node-1"), "one more", "watched"), verdicts{"GANG-008": seen}},
		{ended, "too few have ended", watch(done("g-1"), "one more", "watched"), verdicts{"GANG-008": unclear}},

		{going, "waits", watch(leaving(), "complete", "watched"), verdicts{"GANG-066": seen}},
		{going, "is bound", watch(bind(leaving(), 0, "g-0", "g-1", "g-2"), "complete", "watched"), verdicts{"GANG-066": seen}},
		{going, "is gone already", watch(leaving().GangGone("g"), "complete", "watched"), verdicts{"GANG-066": unclear}},

		{policy, "waits", watch(mixed(historytest.Never), "one differs", "watched"), verdicts{"GANG-032": seen}},
		{policy, "is bound", watch(bind(mixed(historytest.Never), 0, "g-0", "g-1", "g-2"), "one differs", "watched"), verdicts{"GANG-032": seen}},
		{policy, "nobody differs", watch(mixed(), "one differs", "watched"), verdicts{"GANG-032": unclear}},

		{late, "joins", quorum().Bind("g-2", "node-2").Mark("late member bound"), verdicts{"GANG-006": pass}},
		{late, "is left out", quorum().Wait(time.Minute).Mark("late member bound"), verdicts{"GANG-006": fail}},

		{count, "completes", bind(placed(), 1, "g-1", "g-2").Mark("all bound"), verdicts{"GANG-007": pass}},
		{count, "does not count it", placed().Wait(time.Minute).Mark("all bound"), verdicts{"GANG-007": fail}},

		{absent, "held", watch(apart(3), "waiting", "watched"), verdicts{"GANG-034": seen}},
		{absent, "not needed", watch(apart(2), "waiting", "watched"), verdicts{"GANG-034": unclear}},
		{absent, "not watched", apart(3).Mark("waiting").Mark("watched"), verdicts{"GANG-034": unclear}},
		{absent, "served by somebody", watch(apart(3).Bind("g-0", "node-0"), "waiting", "watched"), verdicts{"GANG-034": unclear}},
		{absent, "nobody is foreign", watch(room(3).Gang("g", 3).Pods("g", 3, worker), "waiting", "watched"), verdicts{"GANG-034": unclear}},
		{absent, "no room", watch(room(2).Gang("g", 3).Pods("g", 1, worker, historytest.For(foreignScheduler)).Pods("g", 2, worker), "waiting", "watched"),
			verdicts{"GANG-034": unclear}},
		{foreign, "held", watch(stranger(), "waiting", "watched"), verdicts{"GANG-030": seen}},
		{foreign, "bound", watch(bind(stranger(), 1, "g-1", "g-2"), "waiting", "watched"), verdicts{"GANG-030": seen}},

		{odd, "blocks, then starts", bind(mended(differs()), 0, "g-1", "g-2", "g-3").Mark("all bound"),
			verdicts{"GANG-031": pass, "GANG-035": pass}},
		{odd, "does not block", bind(mended(bind(differs(), 1, "g-1", "g-2")), 0, "g-3").Mark("all bound"),
			verdicts{"GANG-031": fail, "GANG-035": pass}},
		{odd, "does not recover", mended(differs()).Wait(time.Minute).Mark("all bound"),
			verdicts{"GANG-031": pass, "GANG-035": fail}},

		{joins, "all bound", bind(tried(), 0, "g-0", "g-1", "g-2", "g-3", "g-4").Mark("all bound"), verdicts{"GANG-058": pass}},
		{joins, "one forgotten", bind(tried(), 0, "g-0", "g-1", "g-2", "g-4").Mark("all bound"), verdicts{"GANG-058": fail}},

		{lost, "waits for the count", bind(watch(below(), "room", "watched").Pods("g", 1, worker), 0, "g-1", "g-2", "g-3").
			Mark("all bound"), verdicts{"GANG-061": pass}},
		{lost, "does not count again", bind(watch(bind(below(), 0, "g-1", "g-2"), "room", "watched").Pods("g", 1, worker), 2, "g-3").
			Mark("all bound"), verdicts{"GANG-061": fail}},
		{lost, "never starts", watch(below(), "room", "watched").Pods("g", 1, worker).Wait(time.Minute).
			Mark("all bound"), verdicts{"GANG-061": fail}},

		{runs, "goes on", watch(running(), "one lost", "watched"), verdicts{"GANG-062": pass}},
		{runs, "the rest is evicted", watch(running().Mark("one lost").Deleting("g-1"), "later", "watched"), verdicts{"GANG-062": fail}},
		{runs, "the rest is evicted at once", watch(running().Deleting("g-1", "g-2").Gone("g-1", "g-2"), "one lost", "watched"),
			verdicts{"GANG-062": fail}},
		{runs, "never ran", watch(room(3).Gang("g", 3).Pods("g", 3, worker).Mark("running").Gone("g-0"), "one lost", "watched"),
			verdicts{"GANG-062": unclear}},
	}
}
