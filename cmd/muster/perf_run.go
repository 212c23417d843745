package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"muster/fakes/undertest"
	"muster/perf/report"
	"muster/perf/results"
	"muster/perf/runner"
)

func newPerfRunCommand() *cobra.Command {
	var f perfFlags
	var schedulers []string
	var command string
	var ceiling ceilingFlags
	var names nameFlags
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Measure schedulers on named scenarios",
		Long: `Run scenarios with one or more schedulers, in turns where there are several, and print what was measured. With the
ceiling among them (a binder that makes no decision) every throughput is also given as a fraction of it; loads that need
evictions have no ceiling, and are run without it. The last lines on stdout are one scenario each.

Exit codes: 0 every side was measured; 1 a scheduler broke rules while it was measured; 2 usage; 3 a side has no valid
run; 130 interrupted (what was measured until then is kept).`,
		Example: `  muster perf run --scenario gangs-of-8 --nodes 500 --scheduler kube-scheduler
  muster perf run --scenario singles,gangs-of-8 --nodes 500 --scheduler kube-scheduler,ceiling --runs 3`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkOutput(f.output); err != nil {
				return err
			}
			sides, err := runSides(schedulers, command, &ceiling)
			if err == nil {
				err = names.apply(sides)
			}
			if err != nil {
				return usage(err)
			}
			return f.measure(cmd, sides, report.Lines)
		},
	}
	f.add(cmd, 1)
	ceiling.add(cmd)
	names.add(cmd.Flags())
	cmd.Flags().StringSliceVar(&schedulers, "scheduler", nil,
		"schedulers to measure: "+strings.Join(perfKinds(), ", ")+" (default kube-scheduler)")
	cmd.Flags().StringVar(&command, "scheduler-exec", "",
		"command to measure, split into words without a shell; {{.Kubeconfig}}, {{.SchedulerName}} and {{.RunDir}} are filled in")
	return cmd
}

// perfKinds are the schedulers that can be measured, the ceiling among them.
func perfKinds() []string {
	kinds := slices.DeleteFunc(undertest.Kinds(), func(k string) bool { return k == undertest.None })
	return append(kinds, results.Ceiling)
}

// runSides are the schedulers to run beside one another.
func runSides(kinds []string, command string, ceiling *ceilingFlags) ([]runner.Side, error) {
	if len(kinds) == 0 && command == "" {
		kinds = []string{undertest.KubeScheduler}
	}
	var out []runner.Side
	for _, kind := range kinds {
		if !slices.Contains(perfKinds(), kind) {
			return nil, fmt.Errorf("--scheduler %q: there is no such scheduler to measure; there are %s, and --scheduler-exec for a command of your own",
				kind, strings.Join(perfKinds(), ", "))
		}
		if slices.ContainsFunc(out, func(s runner.Side) bool { return s.Name == kind }) {
			return nil, fmt.Errorf("--scheduler: %s is named twice; --runs says how often it is run", kind)
		}
		side, err := sideOf(kind, kind, ""), error(nil)
		if kind == results.Ceiling {
			side, err = ceiling.side()
		}
		if err != nil {
			return nil, err
		}
		out = append(out, side)
	}
	if command != "" {
		out = append(out, sideOf("exec", "", command))
	}
	return out, ceiling.check()
}

// measurePerf makes the runs and writes down what came of them, also where they were interrupted. The record is nil where
// nothing could begin. ending is what the verb has to say of it, and goes into the record too; nil is nothing.
func measurePerf(cmd *cobra.Command, f *perfFlags, o runner.Options, ending func(*results.Record) []string) (*results.Record, error) {
	r, err := runner.Run(cmd.Context(), o)
	if r == nil {
		return nil, err
	}
	r.Indicative = f.indicative
	if ending != nil {
		r.Lines = ending(r)
	}
	if e := writePerf(o.Out, r); e != nil {
		return r, errors.Join(err, e)
	}
	_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "figures and histories: %s\n", o.Out)
	return r, err
}

// perfEnd is how a verb that measured ends.
func perfEnd(r *results.Record, err error) error {
	switch {
	case err != nil && (r.Incomplete || errors.Is(err, context.Canceled)):
		return withCode(exitInterrupted, err)
	case err != nil:
		// Broken rules weigh more than what could not be written down.
		if rules := perfEnd(r, nil); codeOf(rules) == exitViolations {
			return withCode(exitViolations, errors.Join(rules, err))
		}
		return err
	}
	var broke, without []string
	for _, sized := range r.Scenarios {
		for _, side := range r.Sides {
			valid, runs := 0, r.Of(sized.Shape(), side.Name)
			for _, run := range runs {
				if run.Valid() {
					valid++
				}
				if !side.Unjudged && run.Verdicts != nil && run.Verdicts.Failed > 0 {
					broke = append(broke, sized.Name+" with "+side.Name)
				}
			}
			if valid == 0 && len(runs) > 0 {
				without = append(without, sized.Name+" with "+side.Name)
			}
		}
	}
	if len(broke) > 0 {
		return withCode(exitViolations, fmt.Errorf("rules were broken while measuring: %s", strings.Join(slices.Compact(broke), ", ")))
	}
	if len(without) > 0 {
		return withCode(exitInconclusive, fmt.Errorf("no valid run of %s", strings.Join(without, ", ")))
	}
	return nil
}
