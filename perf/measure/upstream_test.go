package measure

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestUpstream(t *testing.T) {
	// times repeats a time n times.
	times := func(pairs ...int) (out []time.Duration) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, slices.Repeat([]time.Duration{ms(pairs[i])}, pairs[i+1])...)
		}
		return out
	}
	tests := []struct {
		name    string
		binds   []time.Duration
		looks   int
		average float64
		median  float64
	}{
		{name: "nothing"},
		{name: "over before the first look", binds: times(10, 100)},
		{name: "what the first look finds is not counted", binds: times(500, 100, 1500, 30, 2000, 10), looks: 1, average: 40, median: 40},
		{name: "what comes after the last look is lost", binds: times(500, 1, 1500, 30, 2500, 99), looks: 1, average: 30, median: 30},
		{name: "waiting for the first bind is not counted", binds: times(5500, 1, 6500, 20, 7000, 4), looks: 1, average: 24, median: 24},
		{name: "a stretch without binds has the rate of its end", binds: times(500, 1, 1500, 30, 4500, 60, 5000, 30), looks: 4, average: (30 + 3*30) / 4, median: 30},
		{name: "on a look", binds: times(1000, 5, 2000, 7, 3000, 9), looks: 2, average: 8, median: 7},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			u := upstream(tc.binds)
			if tc.looks == 0 {
				if u != nil {
					t.Errorf("%+v", u)
				}
				return
			}
			if u == nil || u.Looks != tc.looks || !near(u.Average, tc.average) || u.Perc50 != tc.median || u.Perc99 != nil {
				t.Errorf("%+v; want %d looks, average %v, median %v", u, tc.looks, tc.average, tc.median)
			}
		})
	}
}

// At a steady rate both ways of counting agree; that is what makes a twin comparable.
func TestUpstreamAgreesAtASteadyRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate, n := rapid.IntRange(5, 300).Draw(t, "rate"), rapid.IntRange(5, 60).Draw(t, "seconds")
		var binds []time.Duration
		for i := range rate * n {
			binds = append(binds, time.Duration(i+1)*time.Second/time.Duration(rate))
		}
		u := upstream(binds)
		if u == nil || u.Average < float64(rate)*0.99 || u.Average > float64(rate)*1.01 {
			t.Fatalf("%d a second for %d s: %+v", rate, n, u)
		}
	})
}

// It adds up: rates over looks are the pods counted, whatever the stretches.
func TestUpstreamAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gen := rapid.Map(rapid.IntRange(0, 30000), ms)
		binds := rapid.SliceOfN(gen, 1, 300).Draw(t, "binds")
		slices.Sort(binds)
		u := upstream(binds)
		last := binds[len(binds)-1] / time.Second * time.Second
		first := (binds[0] + time.Second - 1) / time.Second * time.Second
		first = max(first, time.Second)
		counted := 0
		for _, b := range binds {
			if b > first && b <= last {
				counted++
			}
		}
		sum := 0.0
		if u != nil {
			sum = u.Average * float64(u.Looks)
		}
		// A last stretch that nothing ended is not there.
		if diff := sum - float64(counted); diff > 1e-6 || diff < -1e-6 {
			t.Fatalf("counted %v of %d between %v and %v", sum, counted, first, last)
		}
	})
}
