package arrive

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// Schedule is when each item is meant to be submitted, counted from the start; it never decreases.
type Schedule []time.Duration

// Burst means all n items at once: closed, as fast as the workers can.
func Burst(n int) Schedule { return make(Schedule, max(n, 0)) }

// Even means n items at a fixed distance: rate a second, the first at once. A rate that is not positive is a mistake of
// the caller's and panics.
func Even(n int, rate float64) Schedule {
	return Steps(Step{Rate: rate, Items: n})
}

// Poisson means n items with exponentially distributed distances, rate a second on average: what many independent users
// do. The seed decides the schedule alone.
func Poisson(n int, rate float64, seed int64) Schedule {
	mustRate(rate)
	random := rand.New(rand.NewPCG(uint64(seed), 0x617272697665))
	out := make(Schedule, 0, max(n, 0))
	at := 0.0
	for range n {
		at += random.ExpFloat64() / rate
		out = append(out, seconds(at))
	}
	return out
}

// Step of a staircase: Items at Rate a second.
type Step struct {
	Rate  float64
	Items int
}

// Steps is a staircase of rates, each step after the other: what finds the knee of a latency curve.
func Steps(steps ...Step) Schedule {
	var out Schedule
	from := 0.0
	for _, s := range steps {
		mustRate(s.Rate)
		for i := range s.Items {
			out = append(out, seconds(from+float64(i)/s.Rate))
		}
		from += float64(s.Items) / s.Rate
	}
	return out
}

// Waves are bursts of the given sizes, one every interval: what a night's batch queue looks like.
func Waves(every time.Duration, sizes ...int) Schedule {
	var out Schedule
	for i, n := range sizes {
		for range n {
			out = append(out, time.Duration(i)*every)
		}
	}
	return out
}

// Rate is the items offered a second; 0 for a burst, whose rate is whatever the creator achieves.
func (s Schedule) Rate() float64 {
	if len(s) < 2 || s[len(s)-1] == s[0] {
		return 0
	}
	return float64(len(s)-1) / (s[len(s)-1] - s[0]).Seconds()
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func mustRate(rate float64) {
	if !(rate > 0) {
		panic(fmt.Sprintf("arrive: a rate of %v items a second never ends", rate))
	}
}
