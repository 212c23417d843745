package field

import (
	"testing"
	"time"

	"muster/suites"
	"muster/suites/history/historytest"
)

// last are the ways in which the last piece of the gang of three comes, the witness right after it.
func podsFirst() *historytest.Builder {
	return historytest.New().Canary(20*time.Millisecond).Nodes(4, gpus(1)).
		Pods("pieces", 3, gpu).Wait(time.Second).Gang("pieces", 3).Pod("witness", "", gpu)
}

func gangFirst() *historytest.Builder {
	return historytest.New().Canary(20*time.Millisecond).Nodes(4, gpus(1)).
		Gang("pieces", 3).Pods("pieces", 2, gpu).Wait(time.Second).Pods("pieces", 1, gpu).Pod("witness", "", gpu)
}

func between() *historytest.Builder {
	return historytest.New().Canary(20*time.Millisecond).Nodes(4, gpus(1)).
		Pods("pieces", 1, gpu).Wait(time.Second).Gang("pieces", 3).Pods("pieces", 2, gpu).Pod("witness", "", gpu)
}

func all(b *historytest.Builder) *historytest.Builder { return spread(b, 1, names("pieces", 0, 3)...) }

func TestPieces(t *testing.T) {
	for scenario, begin := range map[string]func() *historytest.Builder{
		"pods-before-their-gang":     podsFirst,
		"gang-before-trickling-pods": gangFirst,
		"gang-between-its-pods":      between,
		"workload-never-comes":       gangFirst,
	} {
		judged(t, scenario,
			story{"at once", all(begin()).Bind("witness", "node-3").Mark("waited-for"), suites.Pass},
			story{"within the five seconds", all(begin().Bind("witness", "node-3").Wait(4 * time.Second)).Mark("waited-for"), suites.Pass},
			story{"later than a prompt witness and five seconds", all(begin().Bind("witness", "node-3").Wait(6 * time.Second)).Mark("waited-for"), suites.Fail},
			story{"as late as the witness", all(begin().Wait(7*time.Second).Bind("witness", "node-3")).Mark("waited-for"), suites.Pass},
			story{"never", begin().Bind("witness", "node-3").Wait(wait).Mark("waited-for"), suites.Fail},
			story{"one never", spread(begin(), 1, names("pieces", 0, 2)...).Bind("witness", "node-3").Wait(wait).Mark("waited-for"), suites.Fail},
			story{"cut short", all(begin()), suites.Inconclusive},
		)
	}
}

func TestPiecesBoundTooEarly(t *testing.T) {
	nodes := func(n int) *historytest.Builder { return historytest.New().Nodes(n, gpus(1)) }
	rest := func(b *historytest.Builder) *historytest.Builder {
		return b.Pod("witness", "", gpu).Bind("witness", "node-3").Bind("pieces-1", "node-1").Bind("pieces-2", "node-2").Mark("waited-for")
	}
	judged(t, "pods-before-their-gang",
		story{"before the gang exists", rest(nodes(4).Pods("pieces", 3, gpu).Bind("pieces-0", "node-0").Gang("pieces", 3)), suites.Fail})
	judged(t, "gang-before-trickling-pods",
		story{"before the last pod exists", rest(nodes(4).Gang("pieces", 3).Pods("pieces", 2, gpu).Bind("pieces-0", "node-0").Pods("pieces", 1, gpu)), suites.Fail})
	judged(t, "gang-between-its-pods",
		story{"no room for the witness", all(nodes(3).Pods("pieces", 1, gpu).Gang("pieces", 3).Pods("pieces", 2, gpu).Pod("witness", "", gpu)).Mark("waited-for"), suites.Inconclusive},
		story{"a quorum that needs fewer", all(nodes(4).Pods("pieces", 1, gpu).Gang("pieces", 2).Pods("pieces", 2, gpu).Pod("witness", "", gpu)).Mark("waited-for"), suites.Inconclusive})
}

func TestWorkloadComesLast(t *testing.T) {
	bound := func() *historytest.Builder {
		return all(gangFirst()).Bind("witness", "node-3").Mark("waited-for").Mark("workload-there")
	}
	judged(t, "workload-comes-last",
		story{"nothing happens", bound().Hold("", wait).Mark("workload-settled"), suites.Pass},
		story{"a member is evicted", bound().Deleting("pieces-1").Hold("", wait).Mark("workload-settled"), suites.Fail},
		story{"bound only when the Workload is there",
			all(gangFirst().Bind("witness", "node-3").Wait(wait).Mark("waited-for").Mark("workload-there")).Hold("", wait).Mark("workload-settled"), suites.Fail},
		story{"not watched", bound().Mark("workload-settled"), suites.Inconclusive},
	)
}
