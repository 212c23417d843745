package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"muster/fakes/undertest"
	"muster/perf/compare"
	"muster/perf/runner"
	"muster/perf/scenario"
)

// sides are base and head, and the ceiling where it is what they are related to: for a stored baseline, and on throughput.
// changed says of a flag whether it was given.
func (f *gateFlags) sides(changed func(string) bool) ([]runner.Side, *compare.Baseline, error) {
	base := f.hasBase()
	switch {
	case f.base != "" && f.baseExec != "" || f.head != "" && f.headExec != "":
		return nil, nil, errors.New("an executable of muster and a command exclude each other: give --base or --base-exec, --head or --head-exec")
	case base && f.baseline != "":
		return nil, nil, errors.New("a base to run and a stored --baseline exclude each other: give one of them")
	case !base && f.baseline == "" && f.store == "":
		return nil, nil, errors.New("there is nothing to compare with: give --base, --base-exec or --baseline, or --store to make a baseline")
	case len(f.scenarios) != 1:
		return nil, nil, fmt.Errorf("--scenario: a gate tests one figure of one scenario, and %d are named", len(f.scenarios))
	}
	if err := f.checkOptions(changed); err != nil {
		return nil, nil, err
	}
	load, err := scenario.Named(f.scenarios[0])
	if err != nil {
		return nil, nil, err
	}
	var out []runner.Side
	if base {
		side, err := f.side(baseSide, f.scheduler, f.base, f.baseExec)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, side)
	}
	head, err := f.side(headSide, cmp.Or(f.headScheduler, f.scheduler), f.head, f.headExec)
	if err != nil {
		return nil, nil, err
	}
	head.Scheduling.Handicap = f.handicap
	out = append(out, head)
	fractions := f.baseline != "" || f.store != ""
	if fractions || cmp.Or(f.figure, load.Figure) == scenario.Throughput {
		third, err := f.ceiling.side()
		if err != nil {
			return nil, nil, err
		}
		out = append(out, third)
	}
	if err := errors.Join(f.ceiling.check(), f.names.apply(out), f.equalLimits(out)); err != nil {
		return nil, nil, err
	}
	f.needed = nil
	for _, side := range out {
		f.needed = append(f.needed, side.Name)
	}
	f.paired = f.needed
	if !fractions { // the ceiling stands beside the sides, and is compared with none of them run by run
		f.paired = []string{baseSide, headSide}
	}
	stored, err := f.stored()
	if stored != nil {
		f.suits = func(sized *scenario.Sized) error {
			if err := stored.Suits(sized.Shape(), string(sized.Figure), f.options); err != nil {
				return fmt.Errorf("--baseline %s: %w", f.baseline, err)
			}
			return nil
		}
	}
	return out, stored, err
}

func (f *gateFlags) hasBase() bool { return f.base != "" || f.baseExec != "" }

// equalLimits refuses two sides of which it is known beforehand that the gate would not compare them.
func (f *gateFlags) equalLimits(sides []runner.Side) error {
	if !f.hasBase() {
		return nil
	}
	limit := func(s runner.Side) float64 {
		if s.Scheduling.Exec != "" {
			return f.execQPS
		}
		return f.qps
	}
	base, head := limit(sides[0]), limit(sides[1])
	switch {
	case base == 0 || head == 0:
		return errors.New("--exec-client-qps is missing: nobody knows which client limits the commands have, and a gate between sides " +
			"whose conditions are not known to be equal decides nothing; say which they were given")
	case base != head:
		return fmt.Errorf("--exec-client-qps %v: the other side has %v (--client-qps), and a gate between sides of unequal limits decides nothing; "+
			"give both the same", f.execQPS, f.qps)
	}
	return nil
}

// checkOptions refuses what cannot be, and what would mean nothing.
func (f *gateFlags) checkOptions(changed func(string) bool) error {
	if f.figure != "" && !slices.Contains(scenario.Figures, f.figure) {
		return fmt.Errorf("--figure %q: it is none of %s", f.figure, join(scenario.Figures))
	}
	if f.headScheduler != "" && f.headExec != "" {
		return fmt.Errorf("--head-scheduler %s: head is a command (--head-exec), which is a scheduler already", f.headScheduler)
	}
	for _, kind := range []string{f.scheduler, f.headScheduler} {
		if kind == undertest.None {
			return fmt.Errorf("the scheduler %s starts none, and there is nothing to measure; there are %s, and commands", kind, strings.Join(perfKinds(), ", "))
		}
	}
	if changed("scheduler") && f.base == "" && (f.headExec != "" || f.headScheduler != "") {
		return fmt.Errorf("--scheduler %s: no side is that built-in scheduler; leave it away", f.scheduler)
	}
	if !f.hasBase() && f.baseline == "" {
		for _, name := range []string{"alpha", "loss", "power", "tolerance"} {
			if changed(name) {
				return fmt.Errorf("--%s: with --store alone nothing is decided; give it to the gate that reads the baseline", name)
			}
		}
		return f.checkStored()
	}
	return f.checkTest()
}

// checkTest refuses numbers with which no test can be made.
func (f *gateFlags) checkTest() error {
	o := f.options
	for _, share := range []struct {
		flag            string
		value, low, top float64
	}{
		// Beyond these a test has no quantiles, or its guard against too wide a spread is none.
		{"--alpha", o.Alpha, 1e-6, 0.5}, {"--power", o.Power, 0.5, 0.999999},
		{"--loss", o.Loss, 1e-6, 0.999999}, {"--tolerance", o.Tolerance, 0, 0.999999},
	} {
		if !(share.value >= share.low && share.value <= share.top) { // what is not a number is in no range
			return fmt.Errorf("%s %v: it is a share between 0 and 1, here from %v to %v", share.flag, share.value, share.low, share.top)
		}
	}
	if o.Tolerance >= o.Loss {
		return fmt.Errorf("--tolerance %v: a gate that is there for a loss of %v cannot accept it", o.Tolerance, o.Loss)
	}
	if o.MinRuns < 4 {
		return fmt.Errorf("--min-runs %d: fewer than four pairs, two blocks of A B B A, have no spread", o.MinRuns)
	}
	if f.runs < o.MinRuns {
		return fmt.Errorf("--runs %d: fewer than the %d pairs that decide (--min-runs); the answer would be that there is none",
			f.runs, o.MinRuns)
	}
	return nil
}

// checkStored refuses a baseline that no gate would read.
func (f *gateFlags) checkStored() error {
	if f.options.MinRuns < 3 {
		return fmt.Errorf("--min-runs %d: fewer than three runs have no spread", f.options.MinRuns)
	}
	if f.runs < f.options.MinRuns {
		return fmt.Errorf("--runs %d: a gate takes no baseline of fewer than %d runs; store more, or say with --min-runs how few the gate that reads it will take",
			f.runs, f.options.MinRuns)
	}
	return nil
}

// side of an executable of muster, or of a command.
func (f *gateFlags) side(name, scheduler, binary, command string) (runner.Side, error) {
	s := sideOf(name, scheduler, command)
	if binary == "" {
		return s, nil
	}
	path, err := filepath.Abs(binary)
	if err != nil {
		return s, fmt.Errorf("--%s: %w", name, err)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return s, fmt.Errorf("--%s %s: there is no such file", name, binary)
	case err != nil:
		return s, fmt.Errorf("--%s: %w", name, err)
	case info.IsDir() || info.Mode()&0o111 == 0:
		return s, fmt.Errorf("--%s %s: it is no executable", name, binary)
	}
	s.Scheduling.Binary, s.Build.Path = path, binary
	return s, nil
}

// stored is the baseline that was named; nil where none was. Whether it is of this scenario is for suits to say.
func (f *gateFlags) stored() (*compare.Baseline, error) {
	if f.baseline == "" {
		return nil, nil
	}
	raw, err := os.ReadFile(f.baseline)
	if err != nil {
		return nil, fmt.Errorf("--baseline: %w", err)
	}
	b, err := compare.ReadBaseline(raw)
	if err != nil {
		return nil, fmt.Errorf("--baseline %s: %w", f.baseline, err)
	}
	return b, nil
}
