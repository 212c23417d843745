package compare

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// three are runs of a, b and the ceiling in turns: a and b are these shares of a ceiling of 300.
func three(n int, a, b, spread float64) []Run {
	random := rand.New(rand.NewPCG(1, 2))
	of := map[string]float64{"a": a, "b": b, "ceiling": 1}
	var out []Run
	for _, s := range Interleave(n, "a", "b", "ceiling") {
		out = append(out, Run{Slot: s, Value: 300 * of[s.Side] * math.Exp(spread*random.NormFloat64()), Shape: "x"})
	}
	return out
}

// What is within a tenth of the ceiling passes no gate on throughput; what is seen to be slower is a regression there too.
func TestGateBesideTheCeiling(t *testing.T) {
	without := three(12, 0.5, 0.5, 0.01)
	for i := range without {
		if without[i].Side == "ceiling" {
			without[i].Problems = []string{"gaps"}
		}
	}
	for _, tc := range []struct {
		name string
		runs []Run
		o    Options
		want Outcome
		says string
	}{
		{"far from it", three(12, 0.5, 0.5, 0.01), Options{Ceiling: "ceiling"}, Pass, "not worse"},
		{"both near it", three(12, 0.97, 0.96, 0.01), Options{Ceiling: "ceiling"}, Undecidable, "a reached 9"},
		{"only the second near it", three(12, 0.85, 0.95, 0.01), Options{Ceiling: "ceiling"}, Undecidable, "b reached 9"},
		{"says what to do", three(12, 0.97, 0.96, 0.01), Options{Ceiling: "ceiling"}, Undecidable, "use --figure solve or --figure scheduler-cpu"},
		{"fallen from it", three(12, 0.97, 0.8, 0.01), Options{Ceiling: "ceiling"}, Regression, "b is worse"},
		{"another figure", three(12, 0.97, 0.96, 0.01), Options{}, Pass, "not worse"},
		{"nothing known of it", without, Options{Ceiling: "ceiling"}, Undecidable, "no valid run of the ceiling"},
		{"too wide, and near it", three(12, 0.97, 0.96, 0.3), Options{Ceiling: "ceiling"}, Undecidable, "spread too widely"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := Gate(tc.runs, "a", "b", tc.o)
			if v.Outcome != tc.want || !strings.Contains(v.Reason, tc.says) {
				t.Errorf("%s: %s; want %s: …%s…", v.Outcome, v.Reason, tc.want, tc.says)
			}
		})
	}
	if v := Gate(three(12, 0.5, 0.6, 0.001), "a", "b", Options{Ceiling: "ceiling"}); math.Abs(v.OfCeilingA-0.5) > 0.01 || math.Abs(v.OfCeilingB-0.6) > 0.01 {
		t.Errorf("%v and %v of the ceiling", v.OfCeilingA, v.OfCeilingB)
	}
}

// The same of a stored baseline, whose values are shares already.
func TestStoredGateBesideTheCeiling(t *testing.T) {
	gate := func(then, now float64) Verdict {
		return GateStored(stored(fractions(12, then, 0.01, 1)...), "x", "throughput", fractions(12, now, 0.01, 2), Options{Ceiling: "ceiling"})
	}
	if v := gate(0.7, 0.7); v.Outcome != Pass {
		t.Errorf("far from the ceiling: %s", v.Reason)
	}
	if v := gate(0.96, 0.97); v.Outcome != Undecidable || !strings.Contains(v.Reason, "head reached 97 %") {
		t.Errorf("near the ceiling: %s: %s", v.Outcome, v.Reason)
	}
	if v := gate(0.96, 0.8); v.Outcome != Regression {
		t.Errorf("fallen from the ceiling: %s: %s", v.Outcome, v.Reason)
	}
}

func TestFractionsLeaveWholeBlocksOut(t *testing.T) {
	runs := three(4, 0.5, 0.5, 0)
	for i := range runs {
		if runs[i].Side == "b" && runs[i].Block == 1 && runs[i].Half == 0 {
			runs[i].Problems = []string{"gaps"}
		}
	}
	got, dropped := Fractions(runs, "ceiling", "b")
	if len(got) != 2 || got[0] != 0.5 || len(dropped) != 1 || !strings.Contains(dropped[0], "gaps") {
		t.Errorf("%v, left out %q", got, dropped)
	}
}

// A verdict is written into files, whatever was measured: nothing in it is infinite, or not a number.
func TestVerdictsCanBeWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Float64Range(1e-100, 1e100)
		runs := turns(rapid.IntRange(0, 6).Draw(t, "n"), func(Slot, int) float64 { return value.Draw(t, "value") })
		if _, err := json.Marshal(Gate(runs, "a", "b", Options{MinRuns: 3, Ceiling: "ceiling"})); err != nil {
			t.Fatal(err)
		}
		some := rapid.SliceOfN(value, 1, 5)
		if _, err := json.Marshal(GateStored(stored(some.Draw(t, "then")...), "x", "throughput", some.Draw(t, "now"), Options{MinRuns: 2})); err != nil {
			t.Fatal(err)
		}
	})
}

// Blocks are counted from 1 where people read of them, and one of them is one block.
func TestBlocksAreCountedFromOne(t *testing.T) {
	runs := turns(12, func(Slot, int) float64 { return 5 })
	runs[0].Problems = []string{"gaps\nand a log"}
	_, dropped := Pairs(runs, "a", "b")
	if len(dropped) != 1 || dropped[0] != "block 1: a's run is invalid: gaps" {
		t.Errorf("%q", dropped)
	}
	if v := Gate(runs, "a", "b", Options{}); !strings.Contains(v.Reason, "left out: 1 block, the first: block 1: ") {
		t.Errorf("%s", v.Reason)
	}
}
