// Command sensitivity says what the performance gate can see: it resamples the runs of a performance report in which one
// scheduler was run beside the same one made slower (muster perf gate --head-handicap), and prints the detection rate and
// the false-alarm rate of gates, each with its interval. hack/perf-sensitivity.sh records such a report and calls it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"muster/perf/compare"
	"muster/reports/v1alpha1"
)

func main() {
	pairs := flag.Int("pairs", 20, "pairs of runs of a gate")
	loss := flag.Float64("loss", 0.1, "the loss the gate is there to see")
	seed := flag.Uint64("seed", 1, "seed of the resampling")
	figure := flag.String("figure", "", "what the gate tests, by the name of one of the runs' values, as pods/s or solve-sec/1k-pods (default what the report's gate tested)")
	flag.Usage = func() {
		_, _ = fmt.Fprintln(flag.CommandLine.Output(), "usage: sensitivity [flags] perf.yaml")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 || !(*loss > 0 && *loss < 1) {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(os.Stdout, flag.Arg(0), *figure, *pairs, *loss, *seed, compare.Effort{}); err != nil {
		fmt.Fprintf(os.Stderr, "sensitivity: %v\n", err)
		os.Exit(2)
	}
}

func run(w io.Writer, path, figure string, pairs int, loss float64, seed uint64, effort compare.Effort) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("reading the report: %w", err)
	}
	report, err := v1alpha1.ParsePerf(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if len(report.Sides) < 2 || len(report.Scenarios) != 1 {
		return fmt.Errorf("%s has %d sides and %d scenarios: a study is of two sides and one scenario", path, len(report.Sides), len(report.Scenarios))
	}
	a, b, s := report.Sides[0].Name, report.Sides[1].Name, report.Scenarios[0]
	if figure != "" {
		if s, err = by(s, figure); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	random := rand.New(rand.NewPCG(seed, 0))
	study, err := compare.StudyRuns(runs(s), a, b, pairs, compare.Options{Loss: loss, LowerIsBetter: !s.HigherIsBetter}, effort, random)
	if err != nil {
		return err
	}
	e := study.Measured
	lines := []string{
		fmt.Sprintf("%s nodes=%d %s: %d runs a side (%d blocks), %s/%s = %.4f [%.4f, %.4f], CV of %s %.2f %%, of %s %.2f %%, of the ratio %.2f %%",
			s.Name, s.Nodes, s.Figure, 2*study.Blocks, study.Blocks, b, a, e.Ratio, e.Low, e.High, a, 100*e.CVA, b, 100*e.CVB, 100*e.CV),
		line(fmt.Sprintf("detection of a loss of %.0f %%", 100*loss), study.AtLoss),
		line(fmt.Sprintf("detection as recorded (%.1f %%)", 100*(1-e.Ratio)), study.AsRecorded),
		line("false alarms of equal sides", study.Equal),
		fmt.Sprintf("gates of %d pairs, %d of each kind, seed %d; intervals (95 %%) are those of having recorded so many runs", study.Pairs, study.AtLoss.Gates, seed),
	}
	var errs []error
	for _, l := range lines {
		_, err := fmt.Fprintln(w, l)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func line(what string, p compare.Power) string {
	return fmt.Sprintf("%-36s %6.2f %% [%.2f, %.2f]   undecidable %.2f %%", what+":", 100*p.Regression, 100*p.Low, 100*p.High, 100*p.Undecidable)
}

// by is a scenario as a gate on another of its runs' values would have seen it. A run that lacks the value has no figure.
func by(s v1alpha1.PerfScenario, figure string) (v1alpha1.PerfScenario, error) {
	known, found := map[string]bool{}, false
	s.Runs = slices.Clone(s.Runs)
	for i := range s.Runs {
		s.Runs[i].Figure = nil
		for _, v := range s.Runs[i].Values {
			known[v.Name] = true
			if v.Name == figure {
				value := v.Value
				s.Runs[i].Figure, s.Figure, s.HigherIsBetter, found = &value, figure, v.HigherIsBetter, true
			}
		}
	}
	if !found {
		return s, fmt.Errorf("-figure %s: no run has such a value; there are %s", figure, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
	}
	return s, nil
}

// runs of a scenario in the words of package compare.
func runs(s v1alpha1.PerfScenario) []compare.Run {
	var out []compare.Run
	for _, r := range s.Runs {
		c := compare.Run{Slot: compare.Slot{Side: r.Side, Block: r.Block, Half: r.Half}, Shape: fmt.Sprintf("%s nodes=%d scale=%v", s.Name, s.Nodes, s.Scale)}
		for _, p := range r.Problems {
			c.Problems = append(c.Problems, p.Message)
		}
		if r.Figure != nil {
			c.Value = *r.Figure
		}
		out = append(out, c)
	}
	return out
}
