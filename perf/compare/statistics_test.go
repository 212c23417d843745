package compare

import (
	"math"
	"math/rand/v2"
	"testing"

	"golang.org/x/perf/benchmath"
	"gonum.org/v1/gonum/stat/distuv"
)

// The t distribution's quantiles as every table has them.
func TestQuantilesOfTheTable(t *testing.T) {
	for _, tc := range []struct{ df, q, want float64 }{{10, 0.99, 2.764}, {10, 0.995, 3.169}, {1, 0.95, 6.314}, {22, 0.975, 2.074}} {
		e := Effect{df: tc.df}
		if got := e.t(tc.q); math.Abs(got-tc.want) > 1e-3 {
			t.Errorf("t(%v) at %v degrees is %.4f; the table has %v", tc.q, tc.df, got, tc.want)
		}
	}
}

// Twelve pairs with ln ratios μ ± r: the standard error, the p-value and the detectable loss follow by hand.
func TestTestByHand(t *testing.T) {
	const mu, r = -0.05, 0.03
	var pairs []Pair
	for i := range 12 {
		// Within each order half lie above the mean and half below, so that no order effect is there.
		d := mu + r
		if i%4 < 2 {
			d = mu - r
		}
		pairs = append(pairs, Pair{100, 100 * math.Exp(d), i%2 == 0})
	}
	e, err := Paired(pairs, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	// σ² = 12 r² / 10, se = σ / √12 = r / √10.
	se := r / math.Sqrt(10)
	if math.Abs(e.mean-mu) > 1e-12 || math.Abs(e.se-se) > 1e-12 || math.Abs(e.Drift-1) > 1e-12 {
		t.Errorf("mean %v, standard error %v, drift %v; want %v, %v, 1", e.mean, e.se, e.Drift, mu, se)
	}
	students := distuv.StudentsT{Sigma: 1, Nu: 10}
	if p := e.below(1); math.Abs(p-students.CDF(mu/se)) > 1e-12 || p > 0.001 {
		t.Errorf("p = %v", p)
	}
	if d := e.detectable(0.01, 0.95); math.Abs(d-(2.764+1.812)*se) > 1e-4 {
		t.Errorf("detectable %v", d)
	}
	if low := math.Exp(mu - 3.169*se); math.Abs(e.Low-low) > 1e-4 {
		t.Errorf("low %v; want %v", e.Low, low)
	}
}

func TestWelchByHand(t *testing.T) {
	// Logs 0, 0.2 and 1, 1.1, 1.2: means 0.1 and 1.1, variances 0.02 and 0.01, so se² = 0.01 + 0.01/3.
	e := welch([]float64{1, math.Exp(0.2)}, []float64{math.E, math.Exp(1.1), math.Exp(1.2)}, 0.05)
	q := 0.01 + 0.01/3
	if math.Abs(e.mean-1) > 1e-12 || math.Abs(e.se-math.Sqrt(q)) > 1e-12 {
		t.Errorf("mean %v, standard error %v", e.mean, e.se)
	}
	if want := q * q / (0.01*0.01/1 + 0.01/3*0.01/3/2); math.Abs(e.df-want) > 1e-9 {
		t.Errorf("%v degrees of freedom; want %v", e.df, want)
	}
}

// TestIntervalCoversTheTruth as often as it says, with an order effect in the data.
func TestIntervalCoversTheTruth(t *testing.T) {
	const seed, trials = 5, 4000
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	covered := 0
	for range trials {
		var pairs []Pair
		for i := range 12 {
			drift := 0.05
			if i%2 == 1 {
				drift = -drift
			}
			pairs = append(pairs, Pair{1, math.Exp(math.Log(0.93) + drift + 0.04*random.NormFloat64()), i%2 == 0})
		}
		e, err := Paired(pairs, 0.05)
		if err != nil {
			t.Fatal(err)
		}
		if e.Low <= 0.93 && 0.93 <= e.High {
			covered++
		}
	}
	if r := RateOf(covered, trials, 0.999); r.Low > 0.95 || r.High < 0.95 {
		t.Errorf("an interval of 95 %% covers the truth in %.3f of cases [%.3f, %.3f]", r.Rate, r.Low, r.High)
	}
}

// The paired test and the rank test that benchstat uses, which assumes nothing, agree where the difference is plain.
func TestAgreesWithTheRankTest(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 11))
	for _, factor := range []float64{0.85, 1.2} {
		var a, b []float64
		runs := noisy(20, factor, 0.02, random)
		for _, r := range runs {
			if r.Side == "a" {
				a = append(a, r.Value)
			} else {
				b = append(b, r.Value)
			}
		}
		c := benchmath.AssumeNothing.Compare(benchmath.NewSample(a, &benchmath.DefaultThresholds), benchmath.NewSample(b, &benchmath.DefaultThresholds))
		v := Gate(runs, "a", "b", Options{})
		if c.P > 0.001 || (v.Outcome == Regression) != (factor < 1) {
			t.Errorf("factor %v: ranks say p = %v, the gate %s", factor, c.P, v.Reason)
		}
	}
}

// TestMoreRunsDecideMore: with twice the runs the smallest loss that would be seen shrinks.
func TestMoreRunsDecideMore(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 13))
	last := math.Inf(1)
	for _, n := range []int{12, 48, 192} {
		v := Gate(noisy(n, 1, 0.05, random), "a", "b", Options{})
		if v.Detectable >= last {
			t.Errorf("%d pairs: a loss of %.3f would be seen, with fewer %.3f", n, v.Detectable, last)
		}
		last = v.Detectable
	}
}
