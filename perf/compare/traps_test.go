package compare

import "testing"

// Traps of comparisons that have no story in gate_test, output_test or baseline_test. docs/performance.md lists them all.

// A machine that got faster or slower, between two runs or between two years, decides nothing: ceiling and scheduler
// change alike, and what is compared are fractions and ratios.
func TestAnotherMachineDecidesNothing(t *testing.T) {
	base := fractions(12, 0.8, 0.02, 1)
	for _, speed := range []float64{0.2, 1, 5} {
		var now []float64
		for i, f := range fractions(12, 0.8, 0.02, 2) {
			ceiling := 300 * speed * (1 + 0.01*float64(i%3))
			scheduler := f * ceiling // as it was measured beside that ceiling
			now = append(now, scheduler/ceiling)
		}
		if v := GateStored(stored(base...), "x", "throughput", now, Options{}); v.Outcome != Pass {
			t.Errorf("a machine %v times as fast: %s: %s", speed, v.Outcome, v.Reason)
		}
		runs := turns(12, func(s Slot, i int) float64 { return 100 * speed * (1 + 0.01*float64((i+s.Block)%3)) })
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
	b := stored(308, 310, 305)
	b.Per = ""
	if v := GateStored(b, "x", "throughput", []float64{300, 301, 302}, Options{}); v.Outcome != Undecidable {
		t.Errorf("%s: %s", v.Outcome, v.Reason)
	}
}
