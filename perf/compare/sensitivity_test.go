package compare

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestRateOf(t *testing.T) {
	for _, tc := range []struct {
		hits, trials int
		low, high    float64
	}{{0, 10, 0, 0.3085}, {10, 10, 0.6915, 1}, {5, 10, 0.1871, 0.8129}, {1, 100, 0.000253, 0.0545}, {0, 0, 0, 1}} {
		r := RateOf(tc.hits, tc.trials, 0.95)
		if math.Abs(r.Low-tc.low) > 5e-4 || math.Abs(r.High-tc.high) > 5e-4 {
			t.Errorf("%d of %d: [%.4f, %.4f]; want [%.4f, %.4f]", tc.hits, tc.trials, r.Low, r.High, tc.low, tc.high)
		}
	}
}

// record is what n runs of one scheduler measured, with a spread and a slow drift.
func record(n int, spread float64, random *rand.Rand) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = 100 * math.Exp(spread*random.NormFloat64()-0.001*float64(i))
	}
	return out
}

// TestGateHoldsWhatItPromises: on resampled runs with a spread of 4 % the gate sees a loss of 10 % in at least 95 of 100
// gates of twelve pairs, and equal sides raise an alarm in about one of 100.
func TestGateHoldsWhatItPromises(t *testing.T) {
	const seed = 20260301
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	recorded := record(60, 0.04, random)
	worse, err := Resample(recorded, 0.9, 12, 2000, Options{}, random)
	if err != nil {
		t.Fatal(err)
	}
	if worse.Regression.Rate < 0.95 {
		t.Errorf("a loss of 10 %% is seen in %.3f of gates [%.3f, %.3f]", worse.Regression.Rate, worse.Regression.Low, worse.Regression.High)
	}
	equal, err := Resample(recorded, 1, 12, 4000, Options{}, random)
	if err != nil {
		t.Fatal(err)
	}
	// Pairs drawn from sixty runs are not quite independent; the rate may lie a little above α.
	if equal.Regression.Low > 0.015 {
		t.Errorf("equal sides raise an alarm in %.4f of gates [%.4f, %.4f]", equal.Regression.Rate, equal.Regression.Low, equal.Regression.High)
	}
	lower, err := Resample(recorded, 0.9, 12, 500, Options{LowerIsBetter: true}, random)
	if err != nil || lower.Regression.Rate < 0.9 {
		t.Errorf("a time 10 %% longer is seen in %.3f (%v)", lower.Regression.Rate, err)
	}
}

func TestResampleRefusesAFewRuns(t *testing.T) {
	if _, err := Resample(record(19, 0.1, rand.New(rand.NewPCG(1, 1))), 1, 12, 1, Options{}, rand.New(rand.NewPCG(1, 1))); err == nil {
		t.Error("nineteen runs were resampled")
	}
}

// TestNoiseIsUndecidable: where runs spread by a quarter, the gate does not pretend to have looked.
func TestNoiseIsUndecidable(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	s, err := Resample(record(60, 0.25, random), 1, 12, 500, Options{}, random)
	if err != nil || s.Undecidable.Rate < 0.9 {
		t.Errorf("undecidable in %.2f (%v)", s.Undecidable.Rate, err)
	}
}
