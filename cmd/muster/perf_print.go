package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"muster/perf/compare"
	"muster/perf/measure"
	"muster/perf/report"
	"muster/perf/results"
	"muster/perf/runner"
	"muster/reports/write"
)

// recordFile is the record as it is, beside the reports made of it.
const recordFile = "record.json"

// writePerf writes everything an invocation leaves behind.
func writePerf(dir string, r *results.Record) error {
	raw, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return fmt.Errorf("writing the record: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, recordFile), append(raw, '\n'), 0o644); err != nil {
		return fmt.Errorf("writing the record: %w", err)
	}
	return report.WriteAll(dir, report.Of(r))
}

// printPerf prints the figures and the conditions they were taken under.
func printPerf(cmd *cobra.Command, r *results.Record, f *perfFlags) error {
	return print(cmd.OutOrStdout(), f.output, r, func(w io.Writer) error {
		if r.Indicative {
			_, _ = fmt.Fprintln(w, "indicative: too few or too small runs for more than a first look")
		}
		_, _ = fmt.Fprintln(w, figures(r).Render())
		_, _ = fmt.Fprintln(w, conditions(r).Render())
		for _, line := range remarks(r, f.verbose) {
			if _, err := fmt.Fprintln(w, line); err != nil {
				return err
			}
		}
		return nil
	})
}

// figures is one line a scenario and side: medians over its valid runs.
func figures(r *results.Record) table.Writer {
	t := write.NewTable("SCENARIO", "NODES", "SIDE", "VALID", "FIGURE", "PODS/S", "OF CEILING", "GANG READY", "PARTIAL", "SCHED CPU", "SCHED MEM")
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
			} else if m := runs[len(runs)/2]; m.Result != nil {
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

// details of the run in the middle.
func details(valid []*results.Run) table.Row {
	if len(valid) == 0 {
		return table.Row{"", "", "", "", "", ""}
	}
	m := valid[len(valid)/2].Result
	row := table.Row{fmt.Sprintf("%.4g", m.Throughput.Rate), "", spread(m.Gangs.QuorumBound), "", "", ""}
	if m.OfCeiling > 0 {
		row[1] = fmt.Sprintf("%.3f", m.OfCeiling)
	}
	if m.Gangs.Gangs > 0 {
		row[3] = fmt.Sprintf("%d of %d, longest %s", m.Partial.InFlight, m.Partial.Gangs, short(m.Partial.Longest))
	}
	if p, ok := m.Processes["scheduler"]; ok {
		row[4], row[5] = fmt.Sprintf("%.1f s", p.CPU.Seconds()), fmt.Sprintf("%d MiB", p.PeakRSS>>20)
	}
	return row
}

// conditions is the fairness block: one line a scenario and side.
func conditions(r *results.Record) table.Writer {
	t := write.NewTable("SCENARIO", "SIDE", "CLIENT QPS", "THROTTLED", "API LATENCY", "OFFERED", "ACHIEVED", "CORES", "MUSTER", "WATCH LAG")
	for _, sized := range r.Scenarios {
		for _, side := range r.Sides {
			runs := r.Of(sized.Shape(), side.Name)
			if valid := validOnes(runs); len(valid) > 0 {
				runs = valid
			}
			if len(runs) == 0 || runs[len(runs)/2].Result == nil {
				continue
			}
			t.AppendRow(append(table.Row{sized.Name, side.Name}, fairness(&runs[len(runs)/2].Result.Fairness)...))
		}
	}
	return t
}

func fairness(f *measure.Fairness) table.Row {
	row := table.Row{"unknown", optional(f.Throttled), optional(f.ServerLatency), "as fast as can be", fmt.Sprintf("%.4g/s", f.Achieved), "", "", spread(f.WatchLag)}
	if f.Client.QPS > 0 {
		row[0] = fmt.Sprintf("%.0f", f.Client.QPS)
	}
	if f.Offered > 0 {
		row[3] = fmt.Sprintf("%.4g/s", f.Offered)
	}
	sum := 0.0
	for _, c := range f.Cores {
		sum += c
	}
	row[5] = fmt.Sprintf("%.2f", sum)
	if f.OwnShare != nil {
		row[6] = fmt.Sprintf("%.0f %%", 100**f.OwnShare)
	}
	return row
}

// remarks are what a reader has to know beside the figures.
func remarks(r *results.Record, verbose bool) []string {
	var out []string
	for i := range r.Runs {
		run := &r.Runs[i]
		name := fmt.Sprintf("%s %s #%d", run.Scenario, run.Side, run.N)
		for _, p := range run.Problems() {
			out = append(out, name+": invalid: "+p)
		}
		if run.Result != nil {
			for _, l := range run.Result.Validity.Labels {
				out = append(out, name+": "+l.Message)
			}
		}
		if v := run.Verdicts; v != nil && (verbose || v.Failed > 0) {
			for _, f := range v.Findings {
				if verbose || f.Verdict == "Fail" {
					out = append(out, fmt.Sprintf("%s: %s %s %s: %s", name, f.Verdict, f.Requirement, f.Check, f.Message))
				}
			}
		}
	}
	return out
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

// lastly prints the lines a verb ends with: on stdout, or, where that holds JSON or YAML, on stderr.
func lastly(cmd *cobra.Command, output string, lines ...string) error {
	w := cmd.OutOrStdout()
	if output != "table" {
		w = cmd.ErrOrStderr()
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}
