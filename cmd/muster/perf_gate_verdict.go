package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"muster/perf/compare"
	"muster/perf/results"
	"muster/perf/runner"
	"muster/perf/scenario"
)

// decide puts the verdict into the record, and says it in lines. A record that was interrupted, or in which there is nothing to
// compare head with, has none.
func (f *gateFlags) decide(r *results.Record, stored *compare.Baseline) []string {
	if r.Incomplete || stored == nil && !f.hasBase() {
		return nil
	}
	sized := r.Scenarios[0]
	runs := runner.Comparables(r, sized.Shape())
	o := f.options
	o.LowerIsBetter = !sized.Figure.Unit().HigherIsBetter
	if sized.Figure == scenario.Throughput {
		o.Ceiling = results.Ceiling
	}
	g := &results.Gate{Scenario: sized.Name, Figure: string(sized.Figure), Base: baseSide, Head: headSide,
		Alpha: o.Alpha, Loss: o.Loss, Tolerance: o.Tolerance}
	if stored != nil {
		fractions, dropped := compare.Fractions(runs, results.Ceiling, headSide)
		g.Base, g.Verdict = results.StoredBaseline, compare.GateStored(stored, sized.Shape(), g.Figure, fractions, o)
		g.Dropped = dropped
	} else {
		g.Verdict = compare.Gate(leastCeiling(r, runs), baseSide, headSide, o)
	}
	r.Gate = g
	var lines []string
	for _, why := range g.Dropped {
		lines = append(lines, "left out: "+why)
	}
	return append(lines, fmt.Sprintf("gate: %s: %s (%s nodes=%d%s): %s", g.Outcome, sized.Name, sized.Figure, sized.Nodes, revisions(r), g.Reason))
}

// leastCeiling counts the ceiling's runs also where they waited for their creator. The ceiling was at least what they show, so
// that no share of it was more than the share of that, and whoever is far from the one is far from the other.
func leastCeiling(r *results.Record, runs []compare.Run) []compare.Run {
	runs = slices.Clone(runs)
	ceiling := r.Of(r.Scenarios[0].Shape(), results.Ceiling) // in the same order
	for i := range runs {
		if runs[i].Side == results.Ceiling {
			runs[i].Problems = ceiling[0].Problems()
			ceiling = ceiling[1:]
		}
	}
	return runs
}

// end stores what is to be stored, prints the verdict and ends with its exit code.
func (f *gateFlags) end(cmd *cobra.Command, r *results.Record) error {
	said := lastly(cmd, f.output, r.Lines...)
	if f.store != "" {
		fractions, _ := compare.Fractions(runner.Comparables(r, r.Scenarios[0].Shape()), results.Ceiling, headSide)
		if n := len(fractions); n > 0 && n < f.options.MinRuns {
			_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "%s holds %d runs: a gate that reads it needs --min-runs %d or less\n", f.store, n, n)
		}
		said = errors.Join(said, storeBaseline(f.store, r, fractions))
	}
	err := perfEnd(r, nil)
	switch {
	case codeOf(err) == exitViolations:
		return errors.Join(err, said)
	case said != nil:
		return said
	case r.Gate == nil:
		return err
	}
	return silently(r.Gate.Outcome.ExitCode())
}

// join names as a list for people.
func join[S ~string](names []S) string {
	var out []string
	for _, n := range names {
		out = append(out, string(n))
	}
	return strings.Join(out, ", ")
}

// storeBaseline writes what head measured.
func storeBaseline(file string, r *results.Record, fractions []float64) error {
	sized := r.Scenarios[0]
	if len(fractions) == 0 {
		return withCode(exitInconclusive, fmt.Errorf("no valid run of %s with %s beside the %s: nothing stored", sized.Name, headSide, results.Ceiling))
	}
	b := compare.Baseline{
		APIVersion: compare.BaselineVersion, Kind: compare.BaselineKind, Shape: sized.Shape(), Figure: string(sized.Figure),
		Per: "ceiling", Values: fractions,
		Note: strings.Join([]string{r.Began.Format("2006-01-02"), r.Muster, r.Machine.CPU, fmt.Sprintf("%d CPUs", r.Machine.CPUs)}, ", "),
	}
	if err := b.Validate(); err != nil {
		return withCode(exitInconclusive, fmt.Errorf("storing the baseline: %w", err))
	}
	raw, err := yaml.Marshal(b)
	if err != nil {
		return fmt.Errorf("storing the baseline: %w", err)
	}
	if err := os.WriteFile(file, raw, 0o644); err != nil {
		return fmt.Errorf("storing the baseline: %w", err)
	}
	return nil
}
