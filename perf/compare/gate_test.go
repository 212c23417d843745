package compare

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// turns are n runs of sides a and b in turns, as measured by f.
func turns(n int, f func(s Slot, i int) float64) []Run {
	var out []Run
	for i, s := range Interleave(n, "a", "b") {
		out = append(out, Run{Slot: s, Value: f(s, i), Shape: "x"})
	}
	return out
}

// noisy sides: a makes 100, b 100 × factor, both with a coefficient of variation.
func noisy(n int, factor, spread float64, random *rand.Rand) []Run {
	return turns(n, func(s Slot, _ int) float64 {
		v := 100 * math.Exp(spread*random.NormFloat64())
		if s.Side == "b" {
			v *= factor
		}
		return v
	})
}

func TestInterleave(t *testing.T) {
	var got []string
	for _, s := range Interleave(4, "a", "b") {
		got = append(got, s.Side)
	}
	if strings.Join(got, "") != "abbabaab" {
		t.Errorf("%v", got)
	}
	got = nil
	for _, s := range Interleave(2, "a", "b", "c") {
		got = append(got, s.Side)
	}
	if strings.Join(got, "") != "abccba" {
		t.Errorf("%v", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		runs := turns(n, func(Slot, int) float64 { return 1 })
		pairs, dropped := Pairs(runs, "a", "b")
		first := 0
		for _, p := range pairs {
			if p.AFirst {
				first++
			}
		}
		if len(pairs) != n || len(dropped) != 0 || first*2-n > 1 || n-first*2 > 1 {
			t.Fatalf("%d runs a side gave %d pairs, a first in %d", n, len(pairs), first)
		}
	})
}

func TestGate(t *testing.T) {
	r := func() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }
	higher, lower := Options{}, Options{LowerIsBetter: true}
	zero := noisy(12, 1, 0.02, r())
	zero[5].Value = 0
	nan := noisy(12, 1, 0.02, r())
	nan[0].Value = math.NaN()
	invalid := noisy(14, 1, 0.02, r())
	invalid[4].Problems = []string{"creator-bound"}
	shapes := noisy(12, 1, 0.02, r())
	shapes[3].Shape = "y"
	same := turns(12, func(Slot, int) float64 { return 7 })
	// Figures whose ratio is none: pairs of them have no mean, and no test that could fail.
	wild := turns(12, func(s Slot, _ int) float64 { return map[string]float64{"a": 1e-300, "b": 1e300}[s.Side] })
	tests := []struct {
		name string
		runs []Run
		o    Options
		want Outcome
		says string
	}{
		{"equal", noisy(12, 1, 0.02, r()), higher, Pass, "not worse"},
		{"wild", wild, higher, Undecidable, "absent"},
		{"identical", same, higher, Pass, "not worse"},
		{"10 % slower", noisy(12, 0.9, 0.02, r()), higher, Regression, "b is worse"},
		{"10 % longer", noisy(12, 1.1, 0.02, r()), lower, Regression, "b is worse"},
		{"a machine that got faster", noisy(12, 3, 0.02, r()), higher, Pass, "not worse"},
		{"a latency that got shorter", noisy(12, 0.3, 0.02, r()), lower, Pass, "not worse"},
		{"within the tolerance", noisy(24, 0.96, 0.02, r()), Options{Tolerance: 0.05, Loss: 0.2}, Pass, "not worse"},
		{"longer within the tolerance", noisy(24, 1.04, 0.02, r()), Options{Tolerance: 0.05, Loss: 0.2, LowerIsBetter: true}, Pass, "not worse"},
		{"beyond the tolerance", noisy(24, 0.85, 0.02, r()), Options{Tolerance: 0.05, Loss: 0.2}, Regression, "worse"},
		{"too few", noisy(10, 0.5, 0.02, r()), higher, Undecidable, "10 pairs of runs where a gate needs 12"},
		{"hardly any", noisy(2, 0.5, 0.02, r()), higher, Undecidable, "four pairs"},
		{"none at all", nil, higher, Undecidable, "four pairs"},
		{"too wide", noisy(12, 1, 0.3, r()), higher, Undecidable, "spread too widely"},
		{"a zero", zero, higher, Undecidable, "absent"},
		{"not a number", nan, higher, Undecidable, "absent"},
		{"an invalid run takes its block along", invalid, higher, Pass, "n = 12"},
		{"another shape", shapes, higher, Undecidable, "different shapes"},
		{"one side only", slices.DeleteFunc(noisy(12, 1, 0.02, r()), func(r Run) bool { return r.Side == "b" }), higher, Undecidable, "no run of both sides"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			v := Gate(tc.runs, "a", "b", tc.o)
			if v.Outcome != tc.want || !strings.Contains(v.Reason, tc.says) {
				t.Errorf("%s: %s; want %s: …%s…", v.Outcome, v.Reason, tc.want, tc.says)
			}
		})
	}
}

func TestExitCodes(t *testing.T) {
	if Pass.ExitCode() != 0 || Regression.ExitCode() != 4 || Undecidable.ExitCode() != 3 || Outcome("").ExitCode() != 3 {
		t.Error("exit codes")
	}
}

// A machine that slows down by 3 % from run to run: turns and the order effect keep it out of the verdict, where an
// unpaired test would have seen nothing but noise.
func TestDriftIsNotSpread(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	runs := turns(12, func(s Slot, i int) float64 {
		v := 1000 * math.Pow(0.97, float64(i)) * math.Exp(0.01*random.NormFloat64())
		if s.Side == "b" {
			v *= 0.95
		}
		return v
	})
	v := Gate(runs, "a", "b", Options{})
	if v.Outcome != Regression || math.Abs(v.Effect.Ratio-0.95) > 0.01 || math.Abs(v.Effect.Drift-0.97) > 0.01 {
		t.Errorf("%s; drift %.3f", v.Reason, v.Effect.Drift)
	}
	if v.Effect.CVA < 0.15 || v.Effect.CV > 0.02 {
		t.Errorf("each side spreads by %.2f, the ratios by %.3f", v.Effect.CVA, v.Effect.CV)
	}
}

func TestPairedByHand(t *testing.T) {
	// ln ratios 0.1, 0.3, 0.1, 0.3 with A first in the first and third: μ = 0.2, δ = −0.1, no rest.
	e2 := func(x float64) float64 { return math.Exp(x) }
	pairs := []Pair{{1, e2(0.1), true}, {1, e2(0.3), false}, {2, 2 * e2(0.1), true}, {3, 3 * e2(0.3), false}}
	e, err := Paired(pairs, 0.05)
	if err != nil || math.Abs(math.Log(e.Ratio)-0.2) > 1e-12 || math.Abs(math.Log(e.Drift)+0.1) > 1e-12 || e.CV > 1e-9 {
		t.Errorf("%+v, %v", e, err)
	}
	// An odd number: −0.1, 0.1, −0.1 with A first in the first and third: μ = 0, δ = −0.1.
	e, err = Paired([]Pair{{1, e2(-0.1), true}, {1, e2(0.1), false}, {1, e2(-0.1), true}}, 0.05)
	if err != nil || math.Abs(e.mean) > 1e-12 || math.Abs(math.Log(e.Drift)+0.1) > 1e-12 {
		t.Errorf("%+v, %v", e, err)
	}
	if _, err := Paired([]Pair{{1, 1, true}, {1, 1, true}, {1, 1, true}}, 0.05); !errors.Is(err, ErrOneOrder) {
		t.Errorf("always first: %v", err)
	}
	if _, err := Paired(pairs[:2], 0.05); !errors.Is(err, ErrTooFew) {
		t.Errorf("two pairs: %v", err)
	}
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := Paired(append(pairs[:3:3], Pair{bad, 1, false}), 0.05); !errors.Is(err, ErrNoFigure) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

// The interval covers the truth as often as it says, and exchanging the sides inverts everything.
func TestPairedProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Float64Range(0.1, 1000)
		n := rapid.IntRange(3, 20).Draw(t, "n")
		var pairs, other []Pair
		for i := range n {
			p := Pair{value.Draw(t, "a"), value.Draw(t, "b"), i%2 == 0}
			pairs, other = append(pairs, p), append(other, Pair{p.B, p.A, !p.AFirst})
		}
		e, err := Paired(pairs, 0.01)
		f, err2 := Paired(other, 0.01)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-6*math.Max(math.Abs(x), math.Abs(y)) }
		if !near(e.Ratio, 1/f.Ratio) || !near(e.Low, 1/f.High) || !near(e.Drift, f.Drift) || !near(e.below(1), f.above(1)) {
			t.Fatalf("%+v exchanged %+v", e, f)
		}
		if e.Low > e.Ratio || e.High < e.Ratio {
			t.Fatalf("%+v", e)
		}
		// Another unit of measurement changes nothing.
		for i := range pairs {
			pairs[i].A, pairs[i].B = pairs[i].A*60, pairs[i].B*60
		}
		if g, _ := Paired(pairs, 0.01); !near(g.Ratio, e.Ratio) || !near(g.CV+1, e.CV+1) {
			t.Fatalf("in other units %+v; was %+v", g, e)
		}
	})
}

func TestBlockedByHand(t *testing.T) {
	// Blocks of ln ratios (0, 0.2), (0.1, 0.3) and a lone 5: the blocks' means are 0.1 and 0.2, so that the mean is 0.15 and its
	// standard error 0.05, at one degree of freedom. What runs second is 0.1 higher, which is nothing of the spread.
	at := func(x float64, first bool) Pair { return Pair{1, math.Exp(x), first} }
	pairs := []Pair{at(0.2, true), at(0, false), at(5, true), at(0.3, true), at(0.1, false)}
	e, err := Blocked(pairs, 0.05)
	if err != nil || e.N != 4 || math.Abs(e.mean-0.15) > 1e-12 || math.Abs(e.se-0.05) > 1e-12 || e.df != 1 || math.Abs(math.Log(e.Drift)-0.1) > 1e-12 {
		t.Errorf("%+v, %v", e, err)
	}
	if _, err := Blocked(pairs[:3], 0.05); !errors.Is(err, ErrFewBlocks) {
		t.Errorf("one block: %v", err)
	}
	if _, err := Blocked([]Pair{at(0, true), at(0, false), {0, 1, true}, at(0, false)}, 0.05); !errors.Is(err, ErrNoFigure) {
		t.Errorf("no figure: %v", err)
	}
}

// TestSlowMinutesAreNoRegression: a machine that is slow for a minute, in which both runs of one side fall more often than not, has
// equal sides raise no more alarms than alpha allows. Taken for independent, the pairs raise twice as many.
func TestSlowMinutesAreNoRegression(t *testing.T) {
	const seed, gates = 17, 4000
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	alarms, asPairs := 0, 0
	for range gates {
		var pairs []Pair
		for range 10 {
			slow := 0.08 * random.NormFloat64() // the two runs in the middle of a block
			for _, first := range []bool{true, false} {
				pairs = append(pairs, Pair{1, math.Exp(slow + 0.08*random.NormFloat64()), first})
			}
		}
		if gatePairs(pairs, Options{}.withDefaults()).Outcome == Regression {
			alarms++
		}
		if e, err := Paired(pairs, 0.01); err == nil && e.below(1) < 0.01 {
			asPairs++
		}
	}
	r, p := RateOf(alarms, gates, 0.999), RateOf(asPairs, gates, 0.999)
	if r.Low > 0.01 || p.Low < 0.012 {
		t.Errorf("equal sides raise an alarm in %.4f of gates [%.4f, %.4f], by pairs in %.4f", r.Rate, r.Low, r.High, p.Rate)
	}
}
