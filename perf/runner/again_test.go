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
	if got := o.notAgain(runs); len(got) > 0 {
		t.Errorf("nothing is lacking: %q", got)
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

// Blocks that are lacking in the end are told of, with the reason why they were not made again.
func TestBlocksThatAreNotMadeAgainAreToldOf(t *testing.T) {
	broken := func(runs []results.Run) []results.Run {
		runs[0].Verdicts = &results.Verdicts{Failed: 1}
		return runs
	}
	for want, tc := range map[string]struct {
		runs    int
		invalid []string
		change  func([]results.Run) []results.Run
	}{
		"none came out whole": {2, []string{"a 1"}, nil},
		"fewer than three":    {4, []string{"a 1"}, nil},
		"broke rules":         {12, []string{"a 3"}, broken},
	} {
		o, plan := twelve(t, tc.runs, true)
		runs := made(plan, tc.invalid...)
		if tc.change != nil {
			runs = tc.change(runs)
		}
		if got := o.notAgain(runs); len(got) != 1 || !strings.Contains(got[0], want) || !strings.HasPrefix(got[0], "singles: of ") || len(o.again(runs)) > 0 {
			t.Errorf("%q; want %s", got, want)
		}
	}
	o, plan := twelve(t, 12, true)
	runs := made(plan, "a 1", "a 3", "a 5", "a 7")
	for range 5 {
		if more := o.again(runs); len(more) > 0 {
			runs = append(runs, made(more)...)
		}
	}
	if got := o.notAgain(runs); len(got) != 1 || !strings.Contains(got[0], "at most (here 2)") {
		t.Errorf("%q", got)
	}
	if got := o.notAgain(made(plan, "a 1")); len(got) > 0 {
		t.Errorf("a block that is still to be made again: %q", got)
	}
}
