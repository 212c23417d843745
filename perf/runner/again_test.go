package runner

import (
	"fmt"
	"strings"
	"testing"

	"muster/fakes/undertest"
	"muster/perf/results"
	"muster/perf/scenario"
)

// made are the runs of a plan, of which those are invalid that are called so: "a 3" is a's third.
func made(slots []slot, invalid ...string) []results.Run {
	var out []results.Run
	for _, s := range slots {
		name := fmt.Sprintf("%s %d", s.side.Name, s.n)
		r := run(s.side.Name, s.Half, 100, !strings.Contains(" "+strings.Join(invalid, ",")+",", name+","))
		r.Shape, r.Block, r.N = s.sized.Shape(), s.Block, s.n
		out = append(out, r)
	}
	return out
}

func twelve(t *testing.T, runs int, paired bool) (Options, []slot) {
	t.Helper()
	o := Options{Runs: runs, Scenarios: []*scenario.Sized{sized(t, "singles", scenario.Size{})},
		Sides: []Side{{Name: "a"}, {Name: "b"}, {Name: "c", Scheduling: undertest.Options{Scheduler: undertest.Ceiling}, Unjudged: true}}}
	if paired {
		o.Paired = []string{"a", "b"}
	}
	return o, o.plan()
}

func names(slots []slot) string {
	var out []string
	for _, s := range slots {
		out = append(out, fmt.Sprintf("%s%d in %d.%d", s.side.Name, s.n, s.Block, s.Half))
	}
	return strings.Join(out, ", ")
}

// One invalid run of 24 takes one block of six along, and the block is made again; the ceiling's runs are not needed for it.
func TestABlockIsMadeAgain(t *testing.T) {
	o, plan := twelve(t, 12, true)
	runs := made(plan, "a 3")
	if got, want := names(o.again(runs)), "a13 in 6.0, b13 in 6.0, b14 in 6.1, a14 in 6.1"; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	runs = append(runs, made(o.again(runs))...)
	if got := o.again(runs); len(got) > 0 {
		t.Errorf("what was lost is there again, and more is made: %s", names(got))
	}
	if got := o.again(made(plan, "c 3")); len(got) > 0 {
		t.Errorf("the ceiling is not compared pair by pair, and is made again: %s", names(got))
	}
	if o, plan := twelve(t, 12, false); len(o.again(made(plan, "a 3"))) > 0 {
		t.Error("nothing is compared, and is made again")
	}
}

func TestBlocksAreMadeAgainWithinBounds(t *testing.T) {
	o, plan := twelve(t, 12, true)
	runs := made(plan, "a 3", "b 5", "b 12")
	for range 2 { // a third of six blocks
		more := o.again(runs)
		if len(more) != 4 {
			t.Fatalf("%s", names(more))
		}
		runs = append(runs, made(more, "b 13")...) // the first of them is no better
	}
	if got := o.again(runs); len(got) > 0 {
		t.Errorf("after a third of the blocks there are more: %s", names(got))
	}
	if o, plan := twelve(t, 4, true); len(o.again(made(plan, "a 3"))) > 0 {
		t.Error("a third of two blocks is one")
	}
	all := make([]string, 0, 12)
	for i := range 12 {
		all = append(all, fmt.Sprintf("b %d", i+1))
	}
	if got := o.again(made(plan, all...)); len(got) > 0 {
		t.Errorf("what always goes wrong is no mishap: %s", names(got))
	}
	broken := made(plan, "a 3")
	broken[1].Verdicts = &results.Verdicts{Failed: 1} // b
	if got := o.again(broken); len(got) > 0 {
		t.Errorf("a scheduler that breaks rules gets another turn: %s", names(got))
	}
}
