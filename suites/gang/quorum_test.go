package gang

import (
	"time"

	"muster/suites/history/historytest"
)

func quorumStories() []story {
	const waits = "gang-waits-for-quorum"
	short := func() *historytest.Builder { return room(3).Gang("g", 3).Pods("g", 2, worker) }
	full := func() *historytest.Builder {
		return watch(short(), "one short", "watched").Pods("g", 1, worker)
	}
	const before = "gang-pods-before-group"
	lonely := func() *historytest.Builder {
		return room(4).Pods("late", 2, worker).Gang("short", 2).Pods("short", 1, worker)
	}
	return []story{
		{waits, "waits and starts", bind(full(), 0, "g-0", "g-1", "g-2").Mark("complete"),
			verdicts{"GANG-001": pass, "GANG-002": pass}},
		{waits, "one bound early", bind(watch(short().Bind("g-0", "node-0"), "one short", "watched").Pods("g", 1, worker),
			1, "g-1", "g-2").Mark("complete"),
			verdicts{"GANG-001": fail, "GANG-002": pass}},
		{waits, "one left out", bind(full(), 0, "g-0", "g-1").Wait(time.Minute).Mark("complete"),
			verdicts{"GANG-001": pass, "GANG-002": fail}},
		{waits, "no room for all", bind(watch(room(2).Gang("g", 3).Pods("g", 2, worker), "one short", "watched").Pods("g", 1, worker),
			0, "g-0").Mark("complete"),
			verdicts{"GANG-001": unclear, "GANG-002": unclear}},
		{waits, "hardly watched", bind(short().Mark("one short").Wait(time.Second).Mark("watched").Pods("g", 1, worker),
			0, "g-0", "g-1", "g-2").Mark("complete"),
			verdicts{"GANG-001": unclear, "GANG-002": pass}},

		{"gang-quorum-of-one", "one of three", room(1).Mark("empty").Gang("g", 1).Pods("g", 3, worker).
			Bind("g-1", "node-0").Mark("room filled"), verdicts{"GANG-017": pass}},
		{"gang-quorum-of-one", "none of three", room(1).Mark("empty").Gang("g", 1).Pods("g", 3, worker).
			Wait(time.Minute).Mark("room filled"), verdicts{"GANG-017": fail}},

		{before, "waits for the group", bind(watch(lonely(), "no group", "watched").Gang("late", 2), 0, "late-0", "late-1").
			Mark("all bound"), verdicts{"GANG-010": pass, "GANG-011": seen}},
		{before, "bound without a group", bind(watch(lonely().Bind("late-0", "node-0"), "no group", "watched").Gang("late", 2),
			1, "late-1").Mark("all bound"), verdicts{"GANG-010": fail, "GANG-011": seen}},
		{before, "never bound", watch(lonely().Reject("late-0"), "no group", "watched").Gang("late", 2).Wait(time.Minute).
			Mark("all bound"), verdicts{"GANG-010": fail, "GANG-011": seen}},

		{"gang-gated-member", "held until the gate is gone", bind(watch(gated(), "one gated", "watched").Ungate("g-0"),
			0, "g-0", "g-1", "g-2").Mark("all bound"), verdicts{"GANG-018": seen, "GANG-019": pass}},
		{"gang-gated-member", "the quorum does not wait", bind(watch(bind(gated(), 1, "g-1", "g-2"), "one gated", "watched").
			Ungate("g-0"), 0, "g-0").Mark("all bound"), verdicts{"GANG-018": seen, "GANG-019": pass}},
		{"gang-gated-member", "forgotten", watch(gated(), "one gated", "watched").Ungate("g-0").Wait(time.Minute).
			Mark("all bound"), verdicts{"GANG-018": seen, "GANG-019": fail}},

		{"gang-same-name-in-another-namespace", "waits", sameName(false), verdicts{"GANG-016": pass}},
		{"gang-same-name-in-another-namespace", "counts strangers", sameName(true), verdicts{"GANG-016": fail}},
	}
}

func gated() *historytest.Builder {
	return room(3).Gang("g", 2).Pods("g", 1, worker, historytest.Gated).Pods("g", 2, worker)
}

// sameName is a gang of three; early binds the two there are while the third lacks.
func sameName(early bool) *historytest.Builder {
	b := room(6)
	b.Created("podgroups", historytest.Namespace+elsewhereSuffix, "g")
	b.Created("pods", historytest.Namespace+elsewhereSuffix, "g-0")
	b.Created("pods", historytest.Namespace+elsewhereSuffix, "g-1")
	b.Gang("g", 3).Pods("g", 2, worker)
	if early {
		bind(b, 0, "g-0", "g-1")
	}
	watch(b, "one short", "watched").Pods("g", 1, worker)
	if !early {
		bind(b, 0, "g-0", "g-1")
	}
	return b.Bind("g-2", "node-2").Mark("all bound")
}
