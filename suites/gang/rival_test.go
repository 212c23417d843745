package gang

import (
	"time"

	"muster/suites/history/historytest"
)

func rivalStories() []story {
	const two, prio = "gang-two-gangs-one-room", "gang-priority-wins-at-rest"
	waiting := func() *historytest.Builder {
		b := room(2).Pod("taken-0", "", worker, historytest.Priority(300), historytest.Placed("node-0")).
			Pod("taken-1", "", worker, historytest.Priority(300), historytest.Placed("node-1"))
		for g, p := range map[string]int32{"low": 100, "high": 200} {
			b.Gang(g, 2, historytest.GangPriority(p)).Pods(g, 2, worker, historytest.Priority(p))
		}
		return b.Mark("both wait").Gone("taken-0", "taken-1")
	}
	return []story{
		{two, "one each", watch(bind(bind(twoRooms(), 0, "a-ab-0", "a-ab-1"), 2, "b-ba-0", "b-ba-1"), "at rest", "watched"),
			verdicts{"GANG-052": pass}},
		{two, "either may win", watch(bind(bind(twoRooms(), 0, "b-ab-0", "b-ab-1"), 2, "b-ba-0", "b-ba-1"), "at rest", "watched"),
			verdicts{"GANG-052": pass}},
		{two, "half and half", watch(bind(bind(twoRooms(), 0, "a-ab-0", "b-ab-1"), 2, "b-ba-0", "b-ba-1"), "at rest", "watched"),
			verdicts{"GANG-052": fail}},
		{two, "nobody", watch(bind(twoRooms(), 0, "a-ab-0", "a-ab-1"), "at rest", "watched"),
			verdicts{"GANG-052": fail}},

		{prio, "the higher", bind(waiting(), 0, "high-0", "high-1").Mark("at rest"), verdicts{"GANG-054": pass}},
		{prio, "the higher in the end", bind(bind(waiting(), 0, "low-0", "low-1").Gone("low-0", "low-1"),
			0, "high-0", "high-1").Mark("at rest"), verdicts{"GANG-054": pass}},
		{prio, "the lower", bind(waiting(), 0, "low-0", "low-1").Wait(time.Minute).Mark("at rest"), verdicts{"GANG-054": fail}},
	}
}

// twoRooms are two pools of two slots, with two gangs of two that want all of one.
func twoRooms() *historytest.Builder {
	b := historytest.New()
	for _, p := range []string{"ab", "ba"} {
		b.Nodes(2, historytest.Has("nvidia.com/gpu=1"), historytest.NodeLabel("pool", p))
	}
	b.Mark("empty")
	for _, p := range []string{"ab", "ba"} {
		for _, g := range []string{"a-", "b-"} {
			b.Gang(g+p, 2).Pods(g+p, 2, worker, on("pool", p))
		}
	}
	return b
}
