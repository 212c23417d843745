package measure

import (
	"math"
	"slices"
	"time"
)

// Upstream is the throughput as scheduler_perf's SchedulingThroughput counts it, so that a run can be held against its
// twin there. It is looked at once a second, from the first creation on. Counting begins at the first look that finds a
// pod bound, and what was bound until then is not counted; a stretch of looks that find nothing new gets the rate of the
// one that ends it; the average is that over looks, not over time. What is bound after the last look is lost.
//
// Use Throughput for anything else: the first second and the last are part of a run.
type Upstream struct {
	// Looks that counted.
	Looks int `json:"looks"`
	// Average and Perc50 of the rates in pods per second; the others only where the looks carry them.
	Average float64  `json:"Average"`
	Perc50  float64  `json:"Perc50"`
	Perc90  *float64 `json:"Perc90,omitempty"`
	Perc95  *float64 `json:"Perc95,omitempty"`
	Perc99  *float64 `json:"Perc99,omitempty"`
}

// upstream of sorted bind times since the beginning; nil where it was over before anything was counted.
func upstream(binds []time.Duration) *Upstream {
	if len(binds) == 0 {
		return nil
	}
	var rates []float64
	seen, bound, skipped := 0, 0, 0
	for look := time.Second; look <= binds[len(binds)-1]; look += time.Second {
		for bound < len(binds) && binds[bound] <= look {
			bound++
		}
		switch {
		case seen == 0:
			seen = bound
		case bound == seen:
			skipped++
		default:
			rate := float64(bound-seen) / float64(skipped+1)
			rates = append(rates, slices.Repeat([]float64{rate}, skipped+1)...)
			seen, skipped = bound, 0
		}
	}
	if len(rates) == 0 {
		return nil
	}
	slices.Sort(rates)
	sum := 0.0
	for _, r := range rates {
		sum += r
	}
	at := func(q float64) float64 { return rates[max(int(math.Ceil(q*float64(len(rates))-1e-9))-1, 0)] }
	u := &Upstream{Looks: len(rates), Average: sum / float64(len(rates)), Perc50: at(0.5)}
	for q, to := range map[float64]**float64{0.9: &u.Perc90, 0.95: &u.Perc95, 0.99: &u.Perc99} {
		if Carries(len(rates), q) {
			v := at(q)
			*to = &v
		}
	}
	return u
}
