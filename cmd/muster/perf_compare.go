package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"muster/fakes/undertest"
	"muster/perf/compare"
	"muster/perf/report"
	"muster/perf/results"
	"muster/perf/runner"
)

// twoSides are the flags that name two contenders.
type twoSides struct {
	a, b         string
	aExec, bExec string
	noCeiling    bool
	ceiling      ceilingFlags
	names        nameFlags
	handicap     float64
}

func (s *twoSides) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&s.a, "a", "", "first side: "+strings.Join(perfKinds(), ", ")+" (default kube-scheduler); with --a-exec, what to call it")
	flags.StringVar(&s.b, "b", "", "second side (default reference); with --b-exec, what to call it")
	flags.StringVar(&s.aExec, "a-exec", "", "command that is the first side; {{.Kubeconfig}}, {{.SchedulerName}} and {{.RunDir}} are filled in")
	flags.StringVar(&s.bExec, "b-exec", "", "command that is the second side")
	flags.Float64Var(&s.handicap, "b-handicap", 0, "halt the second side for this share of its time (built-in schedulers)")
	s.ceiling.add(cmd)
	s.names.add(flags)
	flags.BoolVar(&s.noCeiling, "no-ceiling", false, "leave the ceiling away as a third side")
}

// sides in the order A, B, ceiling.
func (s *twoSides) sides() ([]runner.Side, error) {
	name := func(given, command, kind, letter string) string {
		switch {
		case given != "":
			return given
		case command != "":
			return letter
		}
		return kind
	}
	a := name(s.a, s.aExec, undertest.KubeScheduler, "a")
	b := name(s.b, s.bExec, undertest.Reference, "b")
	for _, side := range []struct{ flag, name, command string }{{"--a", a, s.aExec}, {"--b", b, s.bExec}} {
		if side.command == "" && !slices.Contains(perfKinds(), side.name) {
			return nil, fmt.Errorf("%s %q: there is no such scheduler; there are %s, and %s-exec for a command of your own",
				side.flag, side.name, strings.Join(perfKinds(), ", "), side.flag)
		}
		if side.command != "" && side.name == results.Ceiling {
			return nil, fmt.Errorf("%s %s: the ceiling is muster's own, call your command something else", side.flag, side.name)
		}
		if err := checkSideName(side.flag, side.name); err != nil {
			return nil, err
		}
	}
	if a == b {
		return nil, fmt.Errorf("--a and --b are both %s: a side compared with itself needs another name (--b-exec with --b NAME)", a)
	}
	out := []runner.Side{sideOf(a, a, s.aExec), sideOf(b, b, s.bExec)}
	if !s.noCeiling && a != results.Ceiling && b != results.Ceiling {
		out = append(out, runner.Side{Name: results.Ceiling})
	}
	for i := range out {
		if out[i].Name != results.Ceiling {
			continue
		}
		var err error
		if out[i], err = s.ceiling.side(); err != nil {
			return nil, err
		}
	}
	if err := s.ceiling.check(); err != nil {
		return nil, err
	}
	out[1].Scheduling.Handicap = s.handicap
	return out, s.names.apply(out)
}

func newPerfCompareCommand() *cobra.Command {
	var f perfFlags
	var two twoSides
	cmd := &cobra.Command{
		Use:   "compare",
		Short: "Compare two schedulers, run in turns with the ceiling as a third side",
		Long: `Run two schedulers on the same scenarios, in blocks of A B B A with the ceiling between them, and say by what factor they
differ. The last lines on stdout are one scenario each, with the sides as a, b and ceiling; b/a is the geometric mean of the ratios of
runs that stood next to each other. Sides that did not run under the same conditions are named. A block that an invalid run has spoilt is made again,
up to a third of them.

Exit codes: 0 every side was measured; 1 a scheduler broke rules while it was measured; 2 usage; 3 a side has no valid
run; 130 interrupted (what was measured until then is kept).`,
		Example: `  muster perf compare --a kube-scheduler --b reference --scenario gangs-of-8 --nodes 500 --runs 4
  muster perf compare --a-exec './old --kubeconfig {{.Kubeconfig}}' --b-exec './new --kubeconfig {{.Kubeconfig}}' --scenario singles --runs 12`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkOutput(f.output); err != nil {
				return err
			}
			sides, err := two.sides()
			if err != nil {
				return usage(err)
			}
			f.needed = []string{sides[0].Name, sides[1].Name}
			f.paired = f.needed
			return f.measure(cmd, sides, comparison)
		},
	}
	f.add(cmd, 2)
	two.add(cmd)
	return cmd
}

// comparison is a line that says what a and b are, one for everything in which two sides were unequal, one for what scenarios cost beside their twins, and then
// one for each scenario.
func comparison(r *results.Record) []string {
	a, b, ceiling := r.Sides[0].Name, r.Sides[1].Name, ""
	if len(r.Sides) > 2 {
		ceiling = r.Sides[2].Name
	}
	out := []string{fmt.Sprintf("a is %s, b is %s", a, b)}
	var last []string
	for _, sized := range r.Scenarios {
		runs := runner.Comparables(r, sized.Shape())
		for _, why := range unequal(r, sized.Shape(), a, b) {
			out = append(out, fmt.Sprintf("%s: unequal: %s", sized.Name, why))
		}
		_, dropped := compare.Pairs(runs, a, b)
		for _, why := range dropped {
			out = append(out, fmt.Sprintf("%s: left out of b/a: %s", sized.Name, why))
		}
		unit := ""
		if len(runs) > 0 {
			unit = r.Of(sized.Shape(), runs[0].Side)[0].Figure.Unit
		}
		last = append(last, compare.Line(sized.Name, sized.Nodes, unit, runs, a, b, ceiling))
	}
	out = append(out, report.Twins(r)...)
	return append(out, last...)
}

// unequal are the differences between the conditions of the sides' first runs that have any.
func unequal(r *results.Record, shape, a, b string) []string {
	first := func(side string) *results.Run {
		for _, run := range r.Of(shape, side) {
			if run.Result != nil {
				return run
			}
		}
		return nil
	}
	x, y := first(a), first(b)
	if x == nil || y == nil {
		return nil
	}
	return compare.Unequal(a, b, x.Result.Fairness, y.Result.Fairness)
}
