package scenario

import (
	"math"
	"time"

	"muster/perf/measure"
	"muster/suites/history"
)

// Reading is a primary figure as it was measured.
type Reading struct {
	// Value in Unit, which is one word, as benchstat wants it. Zero where the run has no such figure.
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	// HigherIsBetter tells a gate which way a regression goes.
	HigherIsBetter bool `json:"higherIsBetter"`
}

// Of reads the figure off a result. A figure that is not there reads zero, which no comparison takes for one.
func (f Figure) Of(r *measure.Result) Reading {
	switch f {
	case GangReady:
		if len(r.Phases) > 1 {
			return lasting(r.Phases[0].QuorumBound.Median, "gang-ready-sec")
		}
		return lasting(r.Gangs.QuorumBound.Median, "gang-ready-sec")
	case Reclaim:
		if r.Evictions == nil {
			return lasting(0, "reclaim-sec")
		}
		return lasting(r.Evictions.Reclaim.Max, "reclaim-sec")
	case TimeToVerdict:
		return lasting(r.Gangs.Refused.Max, "verdict-sec")
	case SchedulerCPU:
		return perThousand(r, r.Processes[history.ProcessScheduler].CPU, "cpu-sec/1k-pods")
	case Solve:
		return perThousand(r, r.Solving(), "solve-sec/1k-pods")
	case Occupancy:
		if r.Fit == nil {
			return Reading{0, "occupancy", true}
		}
		return Reading{r.Fit.Score, "occupancy", true}
	default:
		return Reading{r.Throughput.Rate, "pods/s", true}
	}
}

// Usable reports whether there is a figure at all: a time, a rate or a share above nothing.
func (r Reading) Usable() bool { return r.Value > 0 && !math.IsInf(r.Value, 0) }

func lasting(d time.Duration, unit string) Reading { return Reading{d.Seconds(), unit, false} }

// perThousand spreads a time over the pods that were bound in it.
func perThousand(r *measure.Result, d time.Duration, unit string) Reading {
	if r.Throughput.Bound == 0 {
		return lasting(0, unit)
	}
	return Reading{d.Seconds() * 1000 / float64(r.Throughput.Bound), unit, false}
}

// Unit is the figure's unit and direction, without a value.
func (f Figure) Unit() Reading { return f.Of(&measure.Result{}) }
