package arrive

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestSchedules(t *testing.T) {
	const s = time.Second
	tests := []struct {
		name string
		have Schedule
		want Schedule
		rate float64
	}{
		{"burst", Burst(3), Schedule{0, 0, 0}, 0},
		{"no burst", Burst(-1), Schedule{}, 0},
		{"even", Even(4, 2), Schedule{0, s / 2, s, 3 * s / 2}, 2},
		{"one alone", Even(1, 5), Schedule{0}, 0},
		{"steps", Steps(Step{1, 2}, Step{2, 2}, Step{4, 1}), Schedule{0, s, 2 * s, 5 * s / 2, 3 * s}, 4.0 / 3},
		{"waves", Waves(10*s, 2, 0, 1), Schedule{0, 0, 20 * s}, 0.1},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if !slices.Equal(tc.have, tc.want) || math.Abs(tc.have.Rate()-tc.rate) > 1e-9 {
				t.Errorf("%v at %v; want %v at %v", tc.have, tc.have.Rate(), tc.want, tc.rate)
			}
		})
	}
}

func TestPoisson(t *testing.T) {
	const seed = 42
	s := Poisson(20000, 50, seed)
	if rate := s.Rate(); math.Abs(rate-50) > 1.5 {
		t.Errorf("seed %d: %v a second; want about 50", seed, rate)
	}
	// The distances' deviation is their mean: neither even nor clumped.
	var sum, squares float64
	for i := 1; i < len(s); i++ {
		d := (s[i] - s[i-1]).Seconds()
		sum, squares = sum+d, squares+d*d
	}
	n := float64(len(s) - 1)
	if cv := math.Sqrt(squares/n-sum*sum/n/n) / (sum / n); math.Abs(cv-1) > 0.05 {
		t.Errorf("seed %d: distances spread by %v of their mean; want 1", seed, cv)
	}
	if !slices.Equal(s, Poisson(20000, 50, seed)) || slices.Equal(s, Poisson(20000, 50, seed+1)) {
		t.Error("the seed does not decide the schedule")
	}
}

func TestSchedulesNeverGoBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 200).Draw(t, "n")
		rate := rapid.Float64Range(0.01, 5000).Draw(t, "rate")
		seed := rapid.Int64().Draw(t, "seed")
		for name, s := range map[string]Schedule{
			"burst": Burst(n), "even": Even(n, rate), "poisson": Poisson(n, rate, seed),
			"steps": Steps(Step{rate, n}, Step{rate * 2, n}),
		} {
			if !slices.IsSorted(s) || len(s) > 0 && s[0] < 0 {
				t.Fatalf("%s goes back: %v", name, s)
			}
			want := n
			if name == "steps" {
				want = 2 * n
			}
			if len(s) != want {
				t.Fatalf("%s has %d items; want %d", name, len(s), want)
			}
		}
	})
}

func TestNoRatePanics(t *testing.T) {
	for _, rate := range []float64{0, -1, math.NaN()} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a rate of %v went unnoticed", rate)
				}
			}()
			Even(1, rate)
		}()
	}
}
