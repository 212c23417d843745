package measure

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestDistribution(t *testing.T) {
	upTo := func(n int) []time.Duration {
		out := make([]time.Duration, n)
		for i := range out {
			out[i] = time.Duration(n - i) // 1…n, backwards
		}
		return out
	}
	tests := []struct {
		name              string
		samples           []time.Duration
		median, mean, max time.Duration
		p90, p95, p99     time.Duration // 0: not carried
	}{
		{name: "none"},
		{name: "one", samples: []time.Duration{7}, median: 7, mean: 7, max: 7},
		{name: "two", samples: []time.Duration{4, 8}, median: 6, mean: 6, max: 8},
		{name: "a dozen has no percentiles", samples: upTo(12), median: 6, mean: 7, max: 12},
		{name: "49", samples: upTo(49), median: 25, mean: 25, max: 49},
		{name: "50 carry p90", samples: upTo(50), median: 25, mean: 26, max: 50, p90: 45},
		{name: "100 carry p95", samples: upTo(100), median: 50, mean: 51, max: 100, p90: 90, p95: 95},
		{name: "499 do not carry p99", samples: upTo(499), median: 250, mean: 250, max: 499, p90: 450, p95: 475},
		{name: "500 do", samples: upTo(500), median: 250, mean: 251, max: 500, p90: 450, p95: 475, p99: 495},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			before := slices.Clone(tc.samples)
			d := distribution(tc.samples)
			if !slices.Equal(before, tc.samples) {
				t.Error("the samples were changed")
			}
			if d.Count != len(tc.samples) || d.Median != tc.median || d.Mean != tc.mean || d.Max != tc.max {
				t.Errorf("%+v", d)
			}
			for name, p := range map[string]struct {
				have *time.Duration
				want time.Duration
			}{"p90": {d.P90, tc.p90}, "p95": {d.P95, tc.p95}, "p99": {d.P99, tc.p99}} {
				if (p.have == nil) != (p.want == 0) || p.have != nil && *p.have != p.want {
					t.Errorf("%s = %v; want %v", name, p.have, p.want)
				}
			}
		})
	}
}

func TestDistributionIsOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		samples := rapid.SliceOfN(rapid.Map(rapid.Int64Range(0, 1e12), func(n int64) time.Duration { return time.Duration(n) }), 1, 700).Draw(t, "samples")
		d := distribution(samples)
		last := d.Min
		for _, p := range []*time.Duration{&d.Median, d.P90, d.P95, d.P99, &d.Max} {
			if p == nil {
				continue
			}
			if *p < last {
				t.Fatalf("%+v is not in order", d)
			}
			last = *p
		}
		if d.Mean < d.Min || d.Mean > d.Max {
			t.Fatalf("the mean of %+v lies outside", d)
		}
		if (d.P99 != nil) != (len(samples) >= 500) {
			t.Fatalf("p99 of %d samples: %v", len(samples), d.P99)
		}
	})
}

// What is said of a limit that was exceeded is what was counted: of few samples none may be late, and the latest decides.
func TestExceeding(t *testing.T) {
	few := append(slices.Repeat([]time.Duration{time.Millisecond}, 33), 258*time.Millisecond)
	many := append(slices.Repeat([]time.Duration{time.Millisecond}, 298), ms(300), ms(150), ms(120), ms(110))
	for want, samples := range map[string][]time.Duration{
		"1 of 34 probes were seen more than 100ms late, and 0 may be; the latest was 258ms late":        few,
		"4 of 302 probes were seen more than 100ms late, and 3 may be; the latest but 3 was 110ms late": many,
	} {
		if got := exceeding(samples, "probes were seen", 100*time.Millisecond); got != want {
			t.Errorf("%s; want %s", got, want)
		}
		if d := distribution(samples); d.tail <= 100*time.Millisecond {
			t.Errorf("what is said to be too late is not: %v", d.tail)
		}
	}
}
