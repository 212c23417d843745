package gang

import (
	"fmt"
	"time"

	"muster/suites/history/historytest"
)

func rivalStories() []story {
	const two, prio = "gang-two-gangs-one-room", "gang-priority-wins-at-rest"
	waiting := func() *historytest.Builder {
		b := historytest.New()
		for i, p := range priorityPools {
			b.Nodes(2, historytest.Has("nvidia.com/gpu=1"), historytest.NodeLabel("pool", p.pool))
			for j := range 2 {
				node := fmt.Sprintf("node-%d", 2*i+j)
				b.Pod("taken-"+node, "", worker, on("pool", p.pool), historytest.Priority(300), historytest.Placed(node))
			}
			for g, prio := range map[string]int32{"low": 100, "high": 200} {
				name := rival(g, p.pool)
				b.Gang(name, 2, historytest.GangPriority(prio)).Pods(name, 2, worker, on("pool", p.pool), historytest.Priority(prio))
			}
		}
		return b.Mark("both wait").Gone("taken-node-0", "taken-node-1", "taken-node-2", "taken-node-3")
	}
	// take binds the gangs of the classes to their pools, first pool first, and comes to rest.
	take := func(b *historytest.Builder, classes ...string) *historytest.Builder {
		for i, class := range classes {
			name := rival(class, priorityPools[i].pool)
			bind(b, 2*i, name+"-0", name+"-1")
		}
		for _, p := range priorityPools {
			b.Mark("at rest in " + p.pool)
		}
		return b
	}
	return []story{
		{two, "one each", watch(bind(bind(twoRooms(), 0, "a-ab-0", "a-ab-1"), 2, "b-ba-0", "b-ba-1"), "at rest", "watched"),
			verdicts{"GANG-052": pass, "GANG-070": seen}},
		{two, "either may win", watch(bind(bind(twoRooms(), 0, "b-ab-0", "b-ab-1"), 2, "b-ba-0", "b-ba-1"), "at rest", "watched"),
			verdicts{"GANG-052": pass, "GANG-070": seen}},
		{two, "half and half", watch(bind(bind(twoRooms(), 0, "a-ab-0", "b-ab-1"), 2, "b-ba-0", "b-ba-1"), "at rest", "watched"),
			verdicts{"GANG-052": fail, "GANG-070": unclear}},
		{two, "nobody", watch(bind(twoRooms(), 0, "a-ab-0", "a-ab-1"), "at rest", "watched"),
			verdicts{"GANG-052": fail, "GANG-070": unclear}},

		{prio, "the higher", take(waiting(), "high", "high"), verdicts{"GANG-054": pass}},
		{prio, "the higher in the end", take(bind(waiting(), 0, "a-low-low-first-0", "a-low-low-first-1").
			Gone("a-low-low-first-0", "a-low-low-first-1"), "high", "high"), verdicts{"GANG-054": pass}},
		{prio, "the older", take(waiting().Wait(time.Minute), "low", "high"), verdicts{"GANG-054": fail}},
		{prio, "the younger", take(waiting().Wait(time.Minute), "high", "low"), verdicts{"GANG-054": fail}},
		{prio, "the lower", take(waiting().Wait(time.Minute), "low", "low"), verdicts{"GANG-054": fail}},
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
		for _, g := range p { // a before b in the one, b before a in the other
			name := string(g) + "-" + p
			b.Gang(name, 2).Pods(name, 2, worker, on("pool", p))
		}
	}
	return b
}
