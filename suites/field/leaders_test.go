package field

import (
	"testing"

	"muster/suites"
	"muster/suites/history/historytest"
)

func TestLeadersAndWorkers(t *testing.T) {
	begun := func(nodes int) *historytest.Builder {
		b := historytest.New().Nodes(nodes, gpus(2)).Mark("empty")
		for _, r := range replicas {
			b.Gang(r, 4).Pod(leader(r), r)
		}
		for _, r := range replicas {
			b.Pods(r, 3, gpu)
		}
		return b
	}
	run := func(b *historytest.Builder, r string, from int) *historytest.Builder {
		b.Bind(leader(r), "node-0")
		for i, w := range names(r, 0, 3) {
			b.Bind(w, names("node", (from+i)/2, 1)[0])
		}
		return b
	}
	two := func() *historytest.Builder { return run(run(begun(4), "replica-a", 0), "replica-c", 3) }
	held := func(b *historytest.Builder) *historytest.Builder { return b.Mark("hold").Hold("", wait).Mark("held") }
	judged(t, "leader-and-workers-room-for-two-of-three",
		story{"two run, one waits", held(two()), suites.Pass},
		story{"the third holds its leader", held(two().Bind(leader("replica-b"), "node-0")), suites.Fail},
		story{"the third holds workers", held(two().Bind("replica-b-0", "node-3")), suites.Fail},
		story{"only one runs", held(run(begun(4), "replica-a", 0)), suites.Fail},
		story{"room for all", held(run(run(begun(5), "replica-a", 0), "replica-c", 3)), suites.Inconclusive},
		story{"not watched", two().Mark("hold").Mark("held"), suites.Inconclusive},
	)
}
