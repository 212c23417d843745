package compare

import (
	"errors"
	"strings"
	"testing"
)

// Traps of comparisons that have no story in gate_test, output_test or baseline_test. docs/performance.md lists them all.

// A machine that got faster or slower, between two runs or between two years, decides nothing: ceiling and scheduler
// change alike, and what is compared are fractions and ratios.
func TestAnotherMachineDecidesNothing(t *testing.T) {
	beside := func(speed float64, seed uint64) []Run {
		share := fractions(12, 0.8, 0.02, seed)
		var runs []Run
		for i, slot := range Interleave(12, "ceiling", "head") {
			v := 300 * speed * (1 + 0.01*float64(i/2%3)) // this hour's, of both
			if slot.Side == "head" {
				v *= share[2*slot.Block+slot.Half]
			}
			runs = append(runs, Run{Slot: slot, Value: v, Shape: "x"})
		}
		return runs
	}
	absolute := func(runs []Run) (out []float64) {
		for _, r := range runs {
			if r.Side == "head" {
				out = append(out, r.Value)
			}
		}
		return out
	}
	then := beside(1, 1)
	base, _ := Fractions(then, "ceiling", "head")
	for _, speed := range []float64{0.2, 1, 5} {
		runs := beside(speed, 2)
		now, dropped := Fractions(runs, "ceiling", "head")
		if v := GateStored(stored(base...), "x", "throughput", now, Options{}); v.Outcome != Pass || len(now) != 12 || len(dropped) != 0 {
			t.Errorf("a machine %v times as fast: %s: %s", speed, v.Outcome, v.Reason)
		}
		// The figures themselves would have decided by the machine.
		v := GateStored(stored(absolute(then)...), "x", "throughput", absolute(runs), Options{})
		if slower := speed < 1; (v.Outcome == Regression) != slower {
			t.Errorf("absolute figures of a machine %v times as fast: %s: %s", speed, v.Outcome, v.Reason)
		}
		runs = turns(12, func(s Slot, i int) float64 { return 100 * speed * (1 + 0.01*float64((i+s.Block)%3)) })
		if v := Gate(runs, "a", "b", Options{}); v.Outcome != Pass {
			t.Errorf("both sides %v times as fast: %s: %s", speed, v.Outcome, v.Reason)
		}
	}
}

// A machine that is slow for a while is slow for both sides of a block, whichever ran first in it.
func TestASlowHourIsNoRegression(t *testing.T) {
	runs := turns(12, func(s Slot, i int) float64 {
		v := 100 + float64(i%3)
		if s.Block >= 2 && s.Block < 4 {
			v *= 0.5
		}
		return v
	})
	if v := Gate(runs, "a", "b", Options{}); v.Outcome != Pass {
		t.Errorf("%s: %s", v.Outcome, v.Reason)
	}
}

// An absolute figure is no baseline, on a shared machine or any other.
func TestAbsoluteFiguresAreNoBaseline(t *testing.T) {
	b := stored(fractions(12, 308, 0.01, 1)...)
	now := fractions(12, 308, 0.01, 2)
	if v := GateStored(b, "x", "throughput", now, Options{}); v.Outcome != Pass {
		t.Fatalf("what is not to be refused for anything else is: %s", v.Reason)
	}
	b.Per = "second"
	if v := GateStored(b, "x", "throughput", now, Options{}); v.Outcome != Undecidable || !strings.Contains(v.Reason, "store fractions of the ceiling") {
		t.Errorf("%s: %s", v.Outcome, v.Reason)
	}
	if err := b.Validate(); !errors.Is(err, ErrBaseline) {
		t.Errorf("%v", err)
	}
}
