package field

import (
	"testing"

	"muster/suites"
	"muster/suites/history/historytest"
	"muster/workloads/build"
)

// twoGangs are red and blue of six, interleaved, on nodes of two slots each.
func twoGangs(nodes int) *historytest.Builder {
	b := historytest.New().Nodes(nodes, gpus(2)).Gang("red", 6).Gang("blue", 6)
	for range 6 {
		b.Pods("red", 1, gpu).Pods("blue", 1, gpu)
	}
	return b
}

func TestTwoGangsTakeTurns(t *testing.T) {
	redDone := func() *historytest.Builder {
		return spread(twoGangs(3), 2, names("red", 0, 6)...).Mark("round-1").
			Gone(names("red", 0, 6)...).GangGone("red")
	}
	judged(t, "two-gangs-of-pool-size-interleaved",
		story{"one after the other", spread(redDone(), 2, names("blue", 0, 6)...).Mark("round-2"), suites.Pass},
		story{"each holds half", spread(spread(twoGangs(3), 1, names("red", 0, 3)...), 1, names("blue", 0, 3)...).Mark("round-1"), suites.Fail},
		story{"neither is bound", twoGangs(3).Mark("round-1"), suites.Fail},
		story{"the second never gets its turn", redDone().Wait(wait).Mark("round-2"), suites.Fail},
		story{"both on room for one", spread(spread(twoGangs(3), 2, names("red", 0, 6)...), 2, names("blue", 0, 6)...).Mark("round-1"), suites.Fail},
		story{"room for both", spread(twoGangs(6), 2, names("red", 0, 6)...).Mark("round-1"), suites.Inconclusive},
		story{"room for none", twoGangs(2).Mark("round-1"), suites.Inconclusive},
		story{"cut short after the first", redDone(), suites.Inconclusive},
	)
}

// threeGangs are red, green and blue of six, interleaved, on ten slots; red has run and is gone.
func threeGangs() *historytest.Builder {
	b := historytest.New().Nodes(5, gpus(2)).Gang("red", 6).Gang("green", 6).Gang("blue", 6)
	for range 6 {
		b.Pods("red", 1, gpu).Pods("green", 1, gpu).Pods("blue", 1, gpu)
	}
	return spread(b, 2, names("red", 0, 6)...).Mark("round-1").Gone(names("red", 0, 6)...).GangGone("red")
}

func TestThreeGangsTakeTurns(t *testing.T) {
	greenDone := func() *historytest.Builder {
		return spread(threeGangs(), 2, names("green", 0, 6)...).Mark("hold").Hold("", wait).Mark("held").Mark("round-2").
			Gone(names("green", 0, 6)...).GangGone("green")
	}
	judged(t, "three-gangs-of-six-on-ten-slots",
		story{"one after the other", spread(greenDone(), 2, names("blue", 0, 6)...).Mark("round-3"), suites.Pass},
		story{"the last one hoards beside the second",
			spread(threeGangs(), 2, names("green", 0, 6)...).Bind("blue-0", "node-3").Mark("hold").Hold("", wait).Mark("held").Mark("round-2"), suites.Fail},
		story{"the last one never gets its turn", greenDone().Wait(wait).Mark("round-3"), suites.Fail},
		story{"not watched for long enough",
			spread(threeGangs(), 2, names("green", 0, 6)...).Mark("hold").Mark("held").Mark("round-2").
				Gone(names("green", 0, 6)...).GangGone("green").Mark("round-3"), suites.Inconclusive},
	)
}

func TestInterleaveDealsLikeCards(t *testing.T) {
	got := build.Names(interleave(build.Replicas(2, build.Pod{Name: "a"}), build.Replicas(3, build.Pod{Name: "b"})))
	want := []string{"a-0", "b-0", "a-1", "b-1", "b-2"}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}
