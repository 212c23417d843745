package field

import (
	"testing"

	"muster/suites"
	"muster/suites/history/historytest"
)

func TestBigGangBesideSingles(t *testing.T) {
	begun := func(nodes int) *historytest.Builder {
		return historytest.New().Nodes(nodes, gpus(3)).Mark("empty").
			Gang("big", 10).Pods("big", 10, gpu).Reject(names("big", 0, 10)...).
			Pods("single", 0)
	}
	singles := func(b *historytest.Builder) *historytest.Builder {
		for _, n := range names("single", 0, 9) {
			b.Pod(n, "", gpu)
		}
		return b.Mark("singles-created")
	}
	judged(t, "gang-of-ten-before-nine-singles",
		story{"all nine run", spread(singles(begun(3)), 3, names("single", 0, 9)...).Mark("singles-waited-for"), suites.Pass},
		story{"one is kept out", spread(singles(begun(3)), 3, names("single", 0, 8)...).Wait(wait).Mark("singles-waited-for"), suites.Fail},
		story{"the gang sits on all slots", singles(spread(begun(3), 3, names("big", 0, 9)...)).Wait(wait).Mark("singles-waited-for"), suites.Fail},
		story{"bound after the wait is too late", spread(singles(begun(3)).Wait(wait).Mark("singles-waited-for"), 3, names("single", 0, 9)...), suites.Fail},
		story{"the gang would have fitted", spread(singles(begun(4)), 3, names("single", 0, 9)...).Mark("singles-waited-for"), suites.Inconclusive},
		story{"cut short", singles(begun(3)), suites.Inconclusive},
	)
}
