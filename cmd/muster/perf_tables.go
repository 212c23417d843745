package main

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"muster/perf/compare"
	"muster/perf/measure"
	"muster/perf/results"
	"muster/perf/runner"
	"muster/reports/write"
	"muster/suites/history"
)

// figures is one line a scenario and side: medians over its valid runs.
func figures(r *results.Record) table.Writer {
	t := write.NewTable("SCENARIO", "NODES", "SIDE", "VALID", "FIGURE", "PODS/S", "OF CEILING", "GANG READY",
		"PARTIAL IN FLIGHT", "PARTIAL AT REST", "PARTIAL, LONGEST", "SCHEDULER CPU", "SCHEDULER MEMORY")
	for _, sized := range r.Scenarios {
		for _, side := range r.Sides {
			runs := r.Of(sized.Shape(), side.Name)
			if len(runs) == 0 {
				continue // it has no answer to the scenario, or its turn did not come
			}
			valid := validOnes(runs)
			row := table.Row{sized.Name, sized.Nodes, side.Name, fmt.Sprintf("%d of %d", len(valid), len(runs))}
			if s, ok := compare.Summarise(runner.Comparables(r, sized.Shape()), side.Name); ok {
				row = append(row, fmt.Sprintf("%.4g %s", s.Median, runs[0].Figure.Unit))
			} else if m := typical(runs); m != nil {
				// In brackets: no measurement, but a reader may want to know what kind of none.
				row = append(row, fmt.Sprintf("(%.4g %s)", m.Figure.Value, m.Figure.Unit))
			} else {
				row = append(row, "n/a")
			}
			t.AppendRow(append(row, details(valid)...))
		}
	}
	return t
}

// details are medians over the runs, each of its own: as the figure is.
func details(valid []*results.Run) table.Row {
	row := table.Row{"", "", "", "", "", "", "", ""}
	if len(valid) == 0 {
		return row
	}
	row[0] = fmt.Sprintf("%.4g", middle(valid, func(r *measure.Result) float64 { return r.Throughput.Rate }))
	if share := middle(valid, func(r *measure.Result) float64 { return r.OfCeiling }); share > 0 {
		row[1] = fmt.Sprintf("%.3f", share)
	}
	row[2] = ready(valid)
	if gangs := middle(valid, func(r *measure.Result) float64 { return float64(r.Partial.Gangs) }); gangs > 0 {
		row[3] = fmt.Sprintf("%.3g %%", 100*middle(valid, func(r *measure.Result) float64 { return r.Partial.InFlightRate }))
		row[4] = fmt.Sprintf("%.3g %%", 100*middle(valid, func(r *measure.Result) float64 { return r.Partial.AtRestRate }))
		row[5] = short(time.Duration(middle(valid, func(r *measure.Result) float64 { return float64(r.Partial.Longest) })))
	}
	if _, ok := valid[0].Result.Processes[history.ProcessScheduler]; ok {
		of := func(value func(measure.Process) float64) float64 {
			return middle(valid, func(r *measure.Result) float64 { return value(r.Processes[history.ProcessScheduler]) })
		}
		row[6] = fmt.Sprintf("%.1f s", of(func(p measure.Process) float64 { return p.CPU.Seconds() }))
		row[7] = fmt.Sprintf("%.0f MiB", of(func(p measure.Process) float64 { return float64(p.PeakRSS) })/(1<<20))
	}
	return row
}

// ready is how long gangs waited: the median over the runs of their medians, and of their tails.
func ready(valid []*results.Run) string {
	d := measure.Distribution{Count: int(middle(valid, func(r *measure.Result) float64 { return float64(r.Gangs.QuorumBound.Count) }))}
	d.Median = time.Duration(middle(valid, func(r *measure.Result) float64 { return float64(r.Gangs.QuorumBound.Median) }))
	d.Max = time.Duration(middle(valid, func(r *measure.Result) float64 { return float64(r.Gangs.QuorumBound.Max) }))
	if !slices.ContainsFunc(valid, func(r *results.Run) bool { return r.Result.Gangs.QuorumBound.P99 == nil }) {
		p99 := time.Duration(middle(valid, func(r *measure.Result) float64 { return float64(*r.Gangs.QuorumBound.P99) }))
		d.P99 = &p99
	}
	return spread(d)
}

// middle is the median of a value over runs that have results, of which there is at least one.
func middle(runs []*results.Run, of func(*measure.Result) float64) float64 {
	var values []float64
	for _, r := range runs {
		values = append(values, of(r.Result))
	}
	slices.Sort(values)
	return write.Middle(values)
}

// typical is the run whose figure is in the middle, of valid ones if there are any; nil where none was measured.
func typical(runs []*results.Run) *results.Run {
	if valid := validOnes(runs); len(valid) > 0 {
		runs = valid
	}
	runs = slices.DeleteFunc(slices.Clone(runs), func(r *results.Run) bool { return r.Result == nil })
	if len(runs) == 0 {
		return nil
	}
	slices.SortStableFunc(runs, func(a, b *results.Run) int { return cmp.Compare(a.Figure.Value, b.Figure.Value) })
	return runs[(len(runs)-1)/2]
}

// conditions is the fairness block: one line a scenario and side, of its typical run.
func conditions(r *results.Record) table.Writer {
	t := write.NewTable("SCENARIO", "SIDE", "CLIENT QPS", "THROTTLED", "API LATENCY", "WEBHOOK CALLS", "OFFERED", "CREATED", "CORES", "MUSTER'S SHARE", "WATCH LAG")
	for _, sized := range r.Scenarios {
		for _, side := range r.Sides {
			if m := typical(r.Of(sized.Shape(), side.Name)); m != nil {
				t.AppendRow(append(table.Row{sized.Name, side.Name}, fairness(&m.Result.Fairness)...))
			}
		}
	}
	return t
}

func fairness(f *measure.Fairness) table.Row {
	row := table.Row{"unknown", optional(f.Throttled), optional(f.ServerLatency), fmt.Sprintf("%.0f", f.Webhooks),
		"as fast as can be", fmt.Sprintf("%.4g/s", f.Achieved), "", "", spread(f.WatchLag)}
	switch {
	case f.Client.QPS > 0:
		row[0] = fmt.Sprintf("%.0f", f.Client.QPS)
	case f.Client.QPS < 0:
		row[0] = "none"
	}
	if f.Offered > 0 {
		row[4] = fmt.Sprintf("%.4g/s", f.Offered)
	}
	sum := 0.0
	for _, c := range f.Cores {
		sum += c
	}
	row[6] = fmt.Sprintf("%.2f", sum)
	if f.OwnShare != nil {
		row[7] = fmt.Sprintf("%.0f %%", 100**f.OwnShare)
	}
	return row
}

func validOnes(runs []*results.Run) (out []*results.Run) {
	for _, run := range runs {
		if run.Valid() {
			out = append(out, run)
		}
	}
	return out
}

// spread is a distribution in one word: median, and the tail that the samples carry.
func spread(d measure.Distribution) string {
	if d.Count == 0 {
		return ""
	}
	tail := "max " + short(d.Max)
	if d.P99 != nil {
		tail = "p99 " + short(*d.P99)
	}
	return short(d.Median) + ", " + tail
}

func optional(d *time.Duration) string {
	if d == nil {
		return "unknown"
	}
	return short(*d)
}

// short is a duration with three digits.
func short(d time.Duration) string {
	switch {
	case d >= 10*time.Second:
		return d.Round(100 * time.Millisecond).String()
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(time.Microsecond).String()
}
