package field

import (
	"testing"

	"muster/suites"
	"muster/suites/history/historytest"
)

func TestMembersLargerThanNodes(t *testing.T) {
	three := historytest.Wants("nvidia.com/gpu=3")
	begun := func(nodes, perNode int) *historytest.Builder {
		return historytest.New().Nodes(nodes, gpus(perNode)).Mark("empty").
			Gang("wide", 2).Pods("wide", 2, three).Pod("small", "", gpu)
	}
	held := func(b *historytest.Builder) *historytest.Builder {
		return b.Mark("small-waited-for").Mark("hold").Hold("", wait).Mark("held")
	}
	judged(t, "members-larger-than-any-node",
		story{"stays unbound", held(begun(4, 2).Bind("small", "node-0")), suites.Pass},
		story{"a member is bound all the same", held(begun(4, 2).Bind("small", "node-0").Bind("wide-0", "node-1")), suites.Fail},
		story{"bound at the end of the watch", begun(4, 2).Bind("small", "node-0").Mark("small-waited-for").Mark("hold").Hold("", wait).Bind("wide-1", "node-2").Mark("held"), suites.Fail},
		story{"nothing shows that the scheduler was at work", held(begun(4, 2)), suites.Inconclusive},
		story{"a node could hold one", held(begun(4, 3).Bind("small", "node-0")), suites.Inconclusive},
		story{"the sum does not suffice", held(begun(2, 2).Bind("small", "node-0")), suites.Inconclusive},
	)
}

func TestFragmentedPool(t *testing.T) {
	two := historytest.Wants("nvidia.com/gpu=2")
	begun := func(fillers int) *historytest.Builder {
		b := historytest.New().Nodes(4, gpus(2))
		for i, n := range names("filler", 0, fillers) {
			b.Pod(n, "", gpu, historytest.Placed(names("node", i, 1)[0]))
		}
		return b.Mark("fragmented").Gang("wide", 2).Pods("wide", 2, two).Mark("hold").Hold("", wait)
	}
	whole := func(b *historytest.Builder) *historytest.Builder {
		return b.Mark("held").Gone("filler-0", "filler-1").Mark("whole")
	}
	judged(t, "fragmented-pool-made-whole",
		story{"waits for whole nodes", spread(whole(begun(4)), 1, "wide-0", "wide-1").Mark("waited-for"), suites.Pass},
		story{"bound by the sum", whole(begun(4).Bind("wide-0", "node-3")).Mark("waited-for"), suites.Fail},
		story{"never bound, so it proves nothing", whole(begun(4)).Wait(wait).Mark("waited-for"), suites.Inconclusive},
		story{"a node was whole", spread(whole(begun(3)), 1, "wide-0", "wide-1").Mark("waited-for"), suites.Inconclusive},
	)
}
