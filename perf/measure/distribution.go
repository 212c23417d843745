package measure

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// beyond is how many samples must lie beyond a percentile for it to be more than an anecdote: p90 needs 50 samples,
// p95 100, p99 500.
const beyond = 5

// tailShare is the share of samples that a limit is for.
const tailShare = 0.99

// Distribution is how durations are spread. The zero value is that of no samples.
type Distribution struct {
	// Count of samples.
	Count int `json:"count"`
	// Min, Median, Mean and Max are always there where Count > 0.
	Min    time.Duration `json:"min"`
	Median time.Duration `json:"median"`
	Mean   time.Duration `json:"mean"`
	Max    time.Duration `json:"max"`
	// P90, P95 and P99 are nil where the samples do not carry them: fewer than five lie beyond.
	P90 *time.Duration `json:"p90,omitempty"`
	P95 *time.Duration `json:"p95,omitempty"`
	P99 *time.Duration `json:"p99,omitempty"`

	// tail is the sample that 99 of 100 do not exceed, however many there are (the greatest of fewer than 101): nothing to
	// report, but what a limit is held against.
	tail time.Duration
}

// exceeding says in words what was found of samples of which too many exceed a limit: how many do, how many may, and the one
// that decided. what is what the samples are, and what was done to them late.
func exceeding(samples []time.Duration, what string, limit time.Duration) string {
	s := slices.Sorted(slices.Values(samples))
	n, over := len(s), 0
	for _, d := range s {
		if d > limit {
			over++
		}
	}
	decisive := rank(n, tailShare)
	which := "the latest"
	if decisive < n {
		which = fmt.Sprintf("the latest but %d", n-decisive)
	}
	return fmt.Sprintf("%d of %d %s more than %s late, and %d may be; %s was %s late",
		over, n, what, limit, n-decisive, which, s[decisive-1].Round(100*time.Microsecond))
}

// Carries reports whether n samples are enough to speak of the q-th quantile (0 < q < 1): at least five lie beyond it
// on its thinner side.
func Carries(n int, q float64) bool {
	// A little slack, so that 500 × (1 − 0.99), which is not quite 5 in floating point, is.
	return float64(n)*min(q, 1-q) >= beyond-1e-9
}

// distribution of samples, in any order; they are not changed.
func distribution(samples []time.Duration) Distribution {
	if len(samples) == 0 {
		return Distribution{}
	}
	s := slices.Sorted(slices.Values(samples))
	var sum float64
	for _, d := range s {
		sum += float64(d)
	}
	d := Distribution{
		Count: len(s), Min: s[0], Median: middle(s), Max: s[len(s)-1],
		Mean: time.Duration(math.Round(sum / float64(len(s)))), tail: nearestRank(s, tailShare),
	}
	for q, to := range map[float64]**time.Duration{0.90: &d.P90, 0.95: &d.P95, 0.99: &d.P99} {
		if Carries(len(s), q) {
			v := nearestRank(s, q)
			*to = &v
		}
	}
	return d
}

// middle of sorted samples: the mean of the two in the middle where their number is even.
func middle(s []time.Duration) time.Duration {
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

// nearestRank is the smallest of the sorted samples that at least the share q of them do not exceed.
func nearestRank(s []time.Duration, q float64) time.Duration {
	return s[rank(len(s), q)-1]
}

// rank is the place of that sample among n, from 1.
func rank(n int, q float64) int {
	return min(max(int(math.Ceil(q*float64(n)-1e-9)), 1), n)
}
