package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"muster/fakes/undertest"
	"muster/perf/compare"
	"muster/perf/results"
	"muster/perf/runner"
	"muster/perf/scenario"
)

// ceilingFlags say how the ceiling is run beside others.
type ceilingFlags struct {
	concurrency int
	// used: there is a ceiling to run.
	used bool
}

func (f *ceilingFlags) add(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.concurrency, "ceiling-concurrency", 0,
		"binds the ceiling has under way at a time (default its own; muster perf ceiling finds the best)")
}

// side is the ceiling; 0 leaves the number of requests to it.
func (f *ceilingFlags) side() (runner.Side, error) {
	if f.concurrency != 0 {
		if err := checkConcurrency("--ceiling-concurrency", f.concurrency); err != nil {
			return runner.Side{}, err
		}
	}
	f.used = true
	s := sideOf(results.Ceiling, undertest.Ceiling, "")
	if f.concurrency > 0 {
		s.Scheduling.Args = []string{"--concurrency=" + strconv.Itoa(f.concurrency)}
	}
	return s, nil
}

// check refuses a concurrency that nothing has. It comes after the sides were made.
func (f *ceilingFlags) check() error {
	if f.concurrency != 0 && !f.used {
		return fmt.Errorf("--ceiling-concurrency %d: the ceiling is none of the sides; leave it away, or have the ceiling run", f.concurrency)
	}
	return nil
}

func newPerfCeilingCommand() *cobra.Command {
	var f perfFlags
	var sweep []int
	cmd := &cobra.Command{
		Use:   "ceiling",
		Short: "Find the concurrency at which the ceiling binds most",
		Long: `Run the binder that makes no decision with several numbers of binds under way at a time, in turns, and say which is
best on this machine. That number is for --ceiling-concurrency of the other verbs. Whatever the scenario is run for otherwise,
here it is pods a second.`,
		Example: `  muster perf ceiling --scenario gangs-of-8 --nodes 500 --concurrency 8,32,128 --runs 3`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkOutput(f.output); err != nil {
				return err
			}
			var sides []runner.Side
			for i, n := range sweep {
				if err := checkConcurrency("--concurrency", n); err != nil {
					return usage(err)
				}
				if slices.Contains(sweep[:i], n) {
					return usage(fmt.Errorf("--concurrency: %d is named twice; --runs says how often it is run", n))
				}
				s, err := (&ceilingFlags{concurrency: n}).side()
				if err != nil {
					return usage(err)
				}
				s.Name = fmt.Sprintf("%s-%d", results.Ceiling, n)
				sides = append(sides, s)
			}
			// Of a latency the highest is not the best, and it is no ceiling.
			f.figure = scenario.Throughput
			return f.measure(cmd, sides, func(r *results.Record) []string { return best(r, sweep) })
		},
	}
	f.add(cmd, 2)
	cmd.Flags().IntSliceVar(&sweep, "concurrency", []int{2, 4, 8, 16, 32, 64}, "numbers of binds under way at a time to try")
	return cmd
}

// best is a line for each scenario with the concurrency whose median is the highest, of scenarios whose figure is throughput.
func best(r *results.Record, sweep []int) []string {
	var out []string
	for _, sized := range r.Scenarios {
		runs := runner.Comparables(r, sized.Shape())
		line := fmt.Sprintf("%s nodes=%d ceiling=n/a", sized.Name, sized.Nodes)
		top := 0.0
		for _, n := range sweep {
			if s, ok := compare.Summarise(runs, fmt.Sprintf("%s-%d", results.Ceiling, n)); ok && s.Median > top {
				top = s.Median
				line = fmt.Sprintf("%s nodes=%d ceiling=%.4g pods/s concurrency=%d", sized.Name, sized.Nodes, top, n)
			}
		}
		out = append(out, line)
	}
	return out
}
