package runner

import (
	"muster/perf/compare"
	"muster/perf/measure"
	"muster/perf/results"
)

// Relate gives every throughput as a share of the ceiling's (CeilingOf) at the same shape in the same record.
func Relate(r *results.Record) {
	for i := range r.Runs {
		run := &r.Runs[i]
		if run.Result == nil || run.Side == results.Ceiling {
			continue
		}
		run.Result.Against(CeilingOf(r, run.Shape), measure.Limits{})
	}
}

// CeilingOf is the ceiling's throughput at a shape, in pods per second (Throughput.Rate): the median of its valid runs that
// did not wait for their creator; 0 where there are none.
func CeilingOf(r *results.Record, shape string) float64 {
	var runs []compare.Run
	for _, run := range r.Of(shape, results.Ceiling) {
		if run.KeptUp() {
			continue
		}
		c := Comparable(run)
		if run.Result != nil {
			c.Value = run.Result.Throughput.Rate
		}
		runs = append(runs, c)
	}
	s, _ := compare.Summarise(runs, results.Ceiling)
	return s.Median
}

// Comparable is a run in the words of package compare, with its primary figure.
func Comparable(r *results.Run) compare.Run {
	out := compare.Run{
		Slot: compare.Slot{Side: r.Side, Block: r.Block, Half: r.Half}, Value: r.Figure.Value, Shape: r.Shape, Problems: r.Incomparable(),
	}
	if r.Result != nil {
		out.Fairness = &r.Result.Fairness
	}
	return out
}

// Comparables are the runs of one shape, in order.
func Comparables(r *results.Record, shape string) []compare.Run {
	var out []compare.Run
	for i := range r.Runs {
		if r.Runs[i].Shape == shape {
			out = append(out, Comparable(&r.Runs[i]))
		}
	}
	return out
}
