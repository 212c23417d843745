package gang

import (
	"time"

	"muster/suites/history/historytest"
)

func groupStories() []story {
	const again = "gang-group-deleted-and-recreated"
	gone := func() *historytest.Builder {
		return bind(room(5).Pod("taken-0", "", worker, historytest.Placed("node-0")).
			Gang("kept", 2).Pods("kept", 2, worker).Gang("g", 3).Pods("g", 3, worker), 3, "kept-0", "kept-1").Mark("kept runs").
			GangDeleting("g").GangGone("g").GangGone("kept").Gone("taken-0")
	}
	back := func(b *historytest.Builder) *historytest.Builder {
		return watch(b, "no group", "watched").Pod("taken-again-0", "", worker, historytest.Placed("node-0")).Mark("one slot short")
	}
	return []story{
		{again, "waits, then goes by the new quorum", bind(back(gone()).Gang("g", 2), 1, "g-0", "g-1").Mark("new quorum bound"),
			verdicts{"GANG-059": pass, "GANG-060": pass}},
		{again, "bound without a group", bind(watch(bind(gone(), 0, "g-0", "g-1", "g-2"), "no group", "watched"), 0).
			Pod("taken-again-0", "", worker, historytest.Placed("node-0")).Mark("one slot short").Gang("g", 2).Mark("new quorum bound"),
			verdicts{"GANG-059": fail, "GANG-060": fail}},
		{again, "the running gang goes with its group", bind(back(gone().Deleting("kept-0").Gone("kept-0")).Gang("g", 2), 1, "g-0", "g-1").
			Mark("new quorum bound"), verdicts{"GANG-059": fail}},
		{again, "goes by the old quorum", back(gone()).Gang("g", 2).Wait(time.Minute).Mark("new quorum bound"),
			verdicts{"GANG-059": pass, "GANG-060": fail}},
	}
}

func controllerStories() []story {
	const made, restart = "gang-made-by-controllers", "gang-scheduler-restart-half-bound"
	half := func() *historytest.Builder {
		return room(3).StopScheduler().Gang("g", 3).Pods("g", 3, worker).DriverBind("g-0", "node-0").Mark("half bound").
			StartScheduler().Mark("back")
	}
	return []story{
		{restart, "completes", bind(half(), 1, "g-1", "g-2").Mark("all bound"), verdicts{"GANG-063": pass}},
		{restart, "forgets the bound one", half().Wait(time.Minute).Mark("all bound"), verdicts{"GANG-063": fail}},
		{restart, "starts over", bind(half().Deleting("g-0").Gone("g-0"), 1, "g-1", "g-2").Mark("all bound"), verdicts{"GANG-063": fail}},

		{made, "members like any other", controllers(false, true), verdicts{"GANG-064": pass}},
		{made, "bound one short", controllers(true, true), verdicts{"GANG-064": fail}},
		{made, "not bound", controllers(false, false), verdicts{"GANG-064": fail}},
	}
}

// controllers is three pools of two slots with a gang of two each; early binds the StatefulSet's first pod alone.
func controllers(early, bound bool) *historytest.Builder {
	b := historytest.New()
	for _, m := range makers {
		b.Nodes(2, historytest.Has("nvidia.com/gpu=1"), historytest.NodeLabel("pool", m.name))
		b.Gang(m.name, 2).Pods(m.name, 1, worker, on("pool", m.name))
		if !m.scales {
			b.Pods(m.name, 1, worker, on("pool", m.name))
		}
	}
	if early {
		b.Bind("statefulset-0", "node-0")
	}
	watch(b, "one short", "watched")
	for i, m := range makers {
		if m.scales {
			b.Pods(m.name, 1, worker, on("pool", m.name))
		}
		if !bound {
			continue
		}
		if i == 0 && early {
			bind(b, 1, m.name+"-1")
			continue
		}
		bind(b, 2*i, m.name+"-0", m.name+"-1")
	}
	return b.Mark("all bound")
}
