package gang

import (
	"time"

	"muster/suites/history/historytest"
)

func changedQuorumStories() []story {
	const members, slots = "gang-quorum-lowered-to-members", "gang-quorum-lowered-to-room"
	const raised, running = "gang-quorum-raised-while-waiting", "gang-quorum-raised-after-start"
	fewMembers := func() *historytest.Builder { return room(3).Gang("g", 4).Pods("g", 3, worker).Mark("one short") }
	fewSlots := func() *historytest.Builder { return room(3).Gang("g", 4).Pods("g", 4, worker).Mark("one slot short") }
	started := func() *historytest.Builder {
		return bind(room(4).Gang("g", 2).Pods("g", 2, worker), 0, "g-0", "g-1").Mark("started").Quorum("g", 4).Pods("g", 1, worker)
	}
	waiting := func() *historytest.Builder {
		return room(2).Gang("g", 3).Pods("g", 4, worker).Reject("g-0", "g-1", "g-2", "g-3").Quorum("g", 4)
	}
	return []story{
		{members, "starts", bind(fewMembers().Quorum("g", 3), 0, "g-0", "g-1", "g-2").Mark("all bound"),
			verdicts{"GANG-012": pass}},
		{members, "does not wait", bind(fewMembers(), 0, "g-0", "g-1", "g-2").Quorum("g", 3).Mark("all bound"),
			verdicts{"GANG-012": fail}},
		{members, "does not notice", fewMembers().Quorum("g", 3).Wait(time.Minute).Mark("all bound"),
			verdicts{"GANG-012": fail}},
		{members, "never lowered", fewMembers().Wait(time.Minute).Mark("all bound"),
			verdicts{"GANG-012": unclear}},

		{slots, "fills the room", bind(fewSlots().Quorum("g", 3), 0, "g-0", "g-1", "g-2").Mark("room filled"),
			verdicts{"GANG-013": pass}},
		{slots, "binds in part before", bind(fewSlots(), 0, "g-0", "g-1", "g-2").Quorum("g", 3).Mark("room filled"),
			verdicts{"GANG-013": fail}},
		{slots, "does not notice", fewSlots().Quorum("g", 3).Wait(time.Minute).Mark("room filled"),
			verdicts{"GANG-013": fail}},

		{raised, "silence", watch(waiting(), "quorum raised", "watched"), verdicts{"GANG-014": seen}},
		{raised, "an attempt", watch(waiting().Mark("quorum raised").Wait(3*time.Second).Reject("g-0"), "later", "watched"),
			verdicts{"GANG-014": seen}},

		{running, "newcomers wait for the total", bind(watch(started(), "one short", "watched").Pods("g", 1, worker),
			2, "g-2", "g-3").Mark("all bound"), verdicts{"GANG-015": pass}},
		{running, "a newcomer does not wait", bind(watch(started().Bind("g-2", "node-2"), "one short", "watched").Pods("g", 1, worker),
			3, "g-3").Mark("all bound"), verdicts{"GANG-015": fail}},
		{running, "a running member is evicted", watch(started().Deleting("g-0").Gone("g-0"), "one short", "watched").
			Pods("g", 1, worker).Mark("all bound"), verdicts{"GANG-015": fail}},
		{running, "newcomers are left out", watch(started(), "one short", "watched").Pods("g", 1, worker).Wait(time.Minute).
			Mark("all bound"), verdicts{"GANG-015": fail}},
		{running, "never started", room(4).Gang("g", 2).Pods("g", 2, worker).Wait(time.Minute).Mark("started"),
			verdicts{"GANG-015": unclear}},
	}
}
