package write

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"muster/reports/v1alpha1"
)

// perfConditions is the fairness block: under what conditions each side ran, in its typical run.
func perfConditions(b *strings.Builder, r *v1alpha1.PerfReport, s v1alpha1.PerfScenario) {
	head := "| side | client QPS | throttled | API latency | webhook calls | offered | created | cores | muster's share | watch lag |\n" +
		"|---|---:|---:|---:|---:|---:|---:|---|---:|---|\n"
	for _, res := range s.Results {
		run := typical(s, res)
		if run == nil || run.Fairness == nil {
			continue
		}
		b.WriteString(head)
		head = ""
		f := run.Fairness
		var cores []string
		for _, p := range slices.Sorted(maps.Keys(f.Cores)) {
			cores = append(cores, p+" "+digits(f.Cores[p]))
		}
		lag := fmt.Sprintf("%s s, max %s s", digits(f.WatchLag.Median), digits(f.WatchLag.Max))
		if f.WatchLag.P99 != nil {
			lag = fmt.Sprintf("%s s, p99 %s s", digits(f.WatchLag.Median), digits(*f.WatchLag.P99))
		}
		if f.LagSource != "" {
			lag += " (" + f.LagSource + ")"
		}
		row := []string{res.Side, clientQPS(r, res.Side), known(f.ThrottledSeconds, 1, " s"), known(f.ServerLatencySeconds, 1000, " ms"),
			digits(f.WebhookCalls), known(f.Offered, 1, "/s"), digits(f.Achieved) + "/s", strings.Join(cores, ", "), known(f.OwnShare, 100, " %"), lag}
		if f.Offered == nil {
			row[5] = "as fast as can be"
		}
		for i := range row {
			row[i] = cell(row[i])
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
	}
	if head == "" {
		b.WriteByte('\n')
	}
}

// clientQPS is the limit that a side's client was given.
func clientQPS(r *v1alpha1.PerfReport, side string) string {
	i := slices.IndexFunc(r.Sides, func(s v1alpha1.PerfSide) bool { return s.Name == side })
	switch {
	case i < 0 || r.Sides[i].ClientQPS == 0:
		return "unknown"
	case r.Sides[i].ClientQPS < 0:
		return "none"
	}
	return digits(r.Sides[i].ClientQPS)
}

func known(v *float64, factor float64, unit string) string {
	if v == nil {
		return "unknown"
	}
	return digits(*v*factor) + unit
}

// perfProblems lists runs that are no measurements, and what to know about those that are.
func perfProblems(b *strings.Builder, r *v1alpha1.PerfReport) {
	heading := "## What to know about the runs\n\n"
	for _, note := range r.Summary.Notes {
		fmt.Fprintf(b, "%s- %s\n", heading, item(note))
		heading = ""
	}
	for _, s := range r.Scenarios {
		for _, run := range s.Runs {
			for _, p := range run.Problems {
				fmt.Fprintf(b, "%s- %s, %s, run %d: **invalid** (%s): %s\n", heading, s.Name, run.Side, run.N, p.Kind, item(p.Message))
				heading = ""
			}
			for _, l := range run.Labels {
				fmt.Fprintf(b, "%s- %s, %s, run %d: %s: %s\n", heading, s.Name, run.Side, run.N, l.Kind, item(l.Message))
				heading = ""
			}
			if v := run.Verdicts; v != nil && v.Failed+v.Known+v.Inconclusive > 0 {
				fmt.Fprintf(b, "%s- %s, %s, run %d: the checks found %s, %d known, and could not decide %d\n",
					heading, s.Name, run.Side, run.N, count(v.Failed, "violation"), v.Known, v.Inconclusive)
				heading = ""
			}
		}
	}
}
