package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"muster/perf/report"
	"muster/perf/results"
	"muster/reports/write"
)

// recordFile is the record as it is, beside the reports made of it.
const recordFile = "record.json"

// writePerf writes everything an invocation leaves behind; what cannot be written takes nothing along.
func writePerf(dir string, r *results.Record) error {
	return errors.Join(writeRecord(dir, r), report.WriteAll(dir, report.Of(r)))
}

func writeRecord(dir string, r *results.Record) error {
	raw, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return fmt.Errorf("writing the record: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, recordFile), append(raw, '\n'), 0o644); err != nil {
		return fmt.Errorf("writing the record: %w", err)
	}
	return nil
}

// printPerf prints the figures and the conditions they were taken under; as JSON or YAML the report that is in the file.
func printPerf(cmd *cobra.Command, r *results.Record, f *perfFlags) error {
	published := report.Of(r)
	if f.output == "yaml" { // in the order of the file
		return write.PerfYAML(cmd.OutOrStdout(), published)
	}
	return print(cmd.OutOrStdout(), f.output, published, func(w io.Writer) error {
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

// remarks are what a reader has to know beside the figures.
func remarks(r *results.Record, verbose bool) []string {
	out := slices.Clone(r.Notes)
	for i := range r.Runs {
		run := &r.Runs[i]
		name := fmt.Sprintf("%s, %s, run %d", run.Scenario, run.Side, run.N)
		problems, labels := report.Remarks(run)
		for _, p := range problems {
			out = append(out, fmt.Sprintf("%s: invalid (%s): %s", name, p.Kind, write.Escaped(p.Message, "    ")))
		}
		for _, l := range labels {
			out = append(out, fmt.Sprintf("%s: %s: %s", name, l.Kind, write.Escaped(l.Message, "    ")))
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
