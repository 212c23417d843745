package gang

import (
	"time"

	"muster/suites/history/historytest"
)

func roomStories() []story {
	const large, partly = "gang-larger-than-quorum", "gang-partly-fits-above-quorum"
	const beside = "gang-too-large-beside-a-pod"
	big := func() *historytest.Builder { return room(3).Gang("g", 4).Pods("g", 4, worker) }
	taken := func() *historytest.Builder {
		return room(4).Pod("taken-0", "", worker, historytest.Placed("node-0")).Mark("one slot taken").
			Gang("g", 2).Pods("g", 4, worker)
	}
	full := func(b *historytest.Builder) *historytest.Builder {
		return watch(b.Mark("room filled"), "full", "watched")
	}
	among := func() *historytest.Builder {
		return room(3).Mark("empty").Gang("g", 4).Pods("g", 2, worker).Pod("plain", "", worker).Pods("g", 2, worker)
	}
	return []story{
		{short, "none bound, the pod is", watch(big(), "one slot short", "watched").Pod("plain", "", worker).
			Bind("plain", "node-0").Mark("plain pod"), verdicts{"GANG-003": pass, "GANG-053": pass}},
		{short, "bound in part", watch(bind(big(), 0, "g-0", "g-1"), "one slot short", "watched").Pod("plain", "", worker).
			Bind("plain", "node-2").Mark("plain pod"), verdicts{"GANG-003": fail, "GANG-053": pass}},
		{short, "bound in part as the pod comes", bind(watch(big(), "one slot short", "watched").Pod("plain", "", worker), 0, "g-0").
			Bind("plain", "node-2").Mark("plain pod"), verdicts{"GANG-003": fail, "GANG-053": pass}},
		{short, "the pod is kept out", watch(big(), "one slot short", "watched").Pod("plain", "", worker).
			Wait(time.Minute).Mark("plain pod"), verdicts{"GANG-003": pass, "GANG-053": fail}},
		{short, "there was room after all", watch(big().Mark("one slot short").Nodes(1, historytest.Has("nvidia.com/gpu=1")), "later", "watched").
			Pod("plain", "", worker).Bind("plain", "node-0").Mark("plain pod"), verdicts{"GANG-003": unclear, "GANG-053": pass}},

		{large, "all bound", bind(room(4).Mark("empty").Gang("g", 2).Pods("g", 4, worker), 0, "g-0", "g-1", "g-2", "g-3").Mark("all bound"),
			verdicts{"GANG-004": pass}},
		{large, "only the quorum", bind(room(4).Mark("empty").Gang("g", 2).Pods("g", 4, worker), 0, "g-0", "g-1").Mark("all bound"),
			verdicts{"GANG-004": fail}},

		{partly, "as many as fit, then all", full(bind(taken(), 1, "g-0", "g-1", "g-2")).
			Gone("taken-0").Mark("slot freed").Bind("g-3", "node-0").Mark("all bound"), verdicts{"GANG-005": pass}},
		{partly, "room left over", full(bind(taken(), 1, "g-0", "g-1")).
			Gone("taken-0").Mark("slot freed").Bind("g-2", "node-0").Bind("g-3", "node-3").Mark("all bound"), verdicts{"GANG-005": fail}},
		{partly, "the last is forgotten", full(bind(taken(), 1, "g-0", "g-1", "g-2")).
			Gone("taken-0").Mark("slot freed").Wait(time.Minute).Mark("all bound"), verdicts{"GANG-005": fail}},

		{partly, "the surplus is bound without room", watch(bind(taken(), 1, "g-0", "g-1", "g-2").Mark("room filled").
			Bind("g-3", "node-3"), "full", "watched").Gone("taken-0").Mark("slot freed").Mark("all bound"), verdicts{"GANG-005": fail}},

		{beside, "the pod runs", watch(among().Bind("plain", "node-0").Mark("plain pod"), "waiting", "watched"),
			verdicts{"GANG-053": pass}},
		{beside, "the pod waits behind the gang", watch(among().Wait(time.Minute).Mark("plain pod"), "waiting", "watched"),
			verdicts{"GANG-053": fail}},
		{beside, "a member slips through", watch(among().Bind("plain", "node-0").Mark("plain pod").Bind("g-0", "node-1"), "waiting", "watched"),
			verdicts{"GANG-053": fail}},
	}
}
