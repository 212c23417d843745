package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"muster/fakes/undertest"
	"muster/perf/compare"
	"muster/perf/measure"
	"muster/perf/results"
	"muster/perf/runner"
	"muster/perf/scenario"
)

// gateFlags are the flags of muster perf gate.
type gateFlags struct {
	perfFlags
	ceiling            ceilingFlags
	base, head         string
	baseExec, headExec string
	scheduler          string
	headScheduler      string
	figure             string
	baseline, store    string
	handicap           float64
	options            compare.Options
}

// The sides of a gate.
const (
	baseSide = "base"
	headSide = "head"
)

func newPerfGateCommand() *cobra.Command {
	var f gateFlags
	cmd := &cobra.Command{
		Use:   "gate",
		Short: "Say whether a scheduler has become slower, or that it cannot be said",
		Long: `Hold one build of a scheduler against another on one scenario, run in turns (A B B A), or against a stored baseline of
fractions of the ceiling, and test the scenario's figure one-sided on the logarithms of the ratios.

--base and --head are executables of muster, whose built-in --scheduler is measured; --base-exec and --head-exec are
commands. --store writes what head measured as a baseline for --baseline.

Where the API server is the limit, all schedulers bind alike, and throughput tells nothing: --figure scheduler-cpu (CPU
time of the scheduler's process) and --figure solve (time its algorithm took, by the scheduler's own histograms), both for
a thousand pods, do.

Exit codes: 0 no regression, and one would have been seen; 4 a regression; 3 not decidable, with the reason; 1 the
scheduler broke rules while it was measured; 2 usage; 130 interrupted.`,
		Example: `  muster perf gate --base ./old/muster --head ./new/muster --scheduler reference --scenario gangs-of-8 --nodes 500
  muster perf gate --base ./muster --head-scheduler mutant:slowed-by-50 --scenario gangs-of-8 --nodes 500 --figure solve
  muster perf gate --head-exec './mine --kubeconfig {{.Kubeconfig}}' --baseline mine.yaml --scenario gangs-of-8 --nodes 500`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.add(cmd, 12)
	f.ceiling.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.base, "base", "", "executable of muster whose scheduler is the one to compare with")
	flags.StringVar(&f.head, "head", "", "executable of muster whose scheduler is gated (default this one)")
	flags.StringVar(&f.baseExec, "base-exec", "", "command to compare with")
	flags.StringVar(&f.headExec, "head-exec", "", "command that is gated")
	flags.StringVar(&f.scheduler, "scheduler", undertest.Reference, "built-in scheduler of --base and --head")
	flags.StringVar(&f.headScheduler, "head-scheduler", "", "built-in scheduler of --head, where it is another (default --scheduler)")
	flags.StringVar(&f.figure, "figure", "", "what the gate tests: "+join(scenario.Figures)+" (default the scenario's own)")
	flags.StringVar(&f.baseline, "baseline", "", "stored baseline to compare with instead of a base")
	flags.StringVar(&f.store, "store", "", "file to write what head measured to, as a baseline")
	flags.Float64Var(&f.handicap, "head-handicap", 0, "halt head's scheduler for this share of its time, to see that the gate would notice")
	flags.Float64Var(&f.options.Alpha, "alpha", 0.01, "false-alarm rate for equal sides")
	flags.Float64Var(&f.options.Loss, "loss", 0.1, "the loss the gate is there to see")
	flags.Float64Var(&f.options.Power, "power", 0.95, "the probability with which it must be seen")
	flags.Float64Var(&f.options.Tolerance, "tolerance", 0, "the loss that is accepted")
	flags.IntVar(&f.options.MinRuns, "min-runs", 12, "the least number of pairs of runs that decide")
	return cmd
}

func (f *gateFlags) run(cmd *cobra.Command) error {
	if err := checkOutput(f.output); err != nil {
		return err
	}
	sides, stored, err := f.sides()
	if err != nil {
		return usage(err)
	}
	if f.store != "" {
		// What took half an hour to measure is not to be lost for want of a directory.
		if info, err := os.Stat(filepath.Dir(f.store)); err != nil || !info.IsDir() {
			return usage(fmt.Errorf("--store %s: there is no directory %s to write it to", f.store, filepath.Dir(f.store)))
		}
	}
	o, err := f.perfFlags.options(cmd, sides)
	if err != nil {
		return usage(err)
	}
	if f.figure != "" {
		o.Scenarios[0].Figure = scenario.Figure(f.figure)
	}
	r, err := measurePerf(cmd, &f.perfFlags, o)
	if r == nil {
		return err
	}
	printed := printPerf(cmd, r, &f.perfFlags)
	if err != nil {
		return errors.Join(printed, perfEnd(r, err))
	}
	return errors.Join(printed, f.decide(cmd, r, stored))
}

// sides are base and head, or head and the ceiling where a stored baseline stands for the base or is to be stored.
func (f *gateFlags) sides() ([]runner.Side, *compare.Baseline, error) {
	twoBase := f.base != "" && f.baseExec != ""
	twoHead := f.head != "" && f.headExec != ""
	base := f.base != "" || f.baseExec != ""
	switch {
	case twoBase || twoHead:
		return nil, nil, errors.New("an executable of muster and a command exclude each other: give --base or --base-exec, --head or --head-exec")
	case base && f.baseline != "":
		return nil, nil, errors.New("a base to run and a stored --baseline exclude each other: give one of them")
	case !base && f.baseline == "" && f.store == "":
		return nil, nil, errors.New("there is nothing to compare with: give --base, --base-exec or --baseline, or --store to make a baseline")
	case len(f.scenarios) != 1:
		return nil, nil, fmt.Errorf("--scenario: a gate tests one figure of one scenario, and %d are named", len(f.scenarios))
	}
	if err := f.checkOptions(); err != nil {
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
	if f.baseline != "" || f.store != "" {
		third, err := f.ceiling.side()
		if err != nil {
			return nil, nil, err
		}
		out = append(out, third)
	}
	stored, err := f.stored()
	return out, stored, err
}

func (f *gateFlags) checkOptions() error {
	if f.figure != "" && !slices.Contains(scenario.Figures, scenario.Figure(f.figure)) {
		return fmt.Errorf("--figure %q: it is none of %s", f.figure, join(scenario.Figures))
	}
	if f.headScheduler != "" && f.headExec != "" {
		return fmt.Errorf("--head-scheduler %s: head is a command (--head-exec), which is a scheduler already", f.headScheduler)
	}
	o := f.options
	for _, share := range []struct {
		flag  string
		value float64
		zero  bool
	}{{"--alpha", o.Alpha, false}, {"--loss", o.Loss, false}, {"--power", o.Power, false}, {"--tolerance", o.Tolerance, true}} {
		if !(share.value > 0 || share.zero && share.value == 0) || share.value >= 1 {
			return fmt.Errorf("%s %v: it is a share between 0 and 1", share.flag, share.value)
		}
	}
	if o.Tolerance >= o.Loss {
		return fmt.Errorf("--tolerance %v: a gate that is there for a loss of %v cannot accept it", o.Tolerance, o.Loss)
	}
	if o.MinRuns < 3 {
		return fmt.Errorf("--min-runs %d: fewer than three pairs have no spread", o.MinRuns)
	}
	if f.runs < o.MinRuns && (f.store == "" || f.base != "" || f.baseExec != "" || f.baseline != "") { // else nothing is decided
		return fmt.Errorf("--runs %d: fewer than the %d pairs that decide (--min-runs); the answer would be that there is none",
			f.runs, o.MinRuns)
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
	if info, err := os.Stat(path); err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
		return s, fmt.Errorf("--%s %s: it is no executable of muster", name, binary)
	}
	s.Scheduling.Binary = path
	return s, nil
}

// stored is the baseline that was named; nil where none was. What cannot be read is the user's mistake; one that is not of
// this scenario is for the gate to refuse.
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

// decide prints the verdict and ends with its exit code.
func (f *gateFlags) decide(cmd *cobra.Command, r *results.Record, stored *compare.Baseline) error {
	sized := r.Scenarios[0]
	runs := runner.Comparables(r, sized.Shape())
	f.options.LowerIsBetter = !lookingFor(sized).HigherIsBetter
	var fractions []float64
	pairs, _ := compare.Pairs(runs, results.Ceiling, headSide)
	for _, p := range pairs {
		fractions = append(fractions, p.B/p.A)
	}
	if f.store != "" {
		if err := storeBaseline(f.store, r, fractions); err != nil {
			return err
		}
	}
	var v compare.Verdict
	switch {
	case stored != nil:
		v = compare.GateStored(stored, sized.Shape(), string(sized.Figure), fractions, f.options)
	case r.Sides[0].Name == baseSide:
		v = compare.Gate(runs, baseSide, headSide, f.options)
	default:
		return perfEnd(r, nil)
	}
	var lines []string
	for _, why := range v.Dropped {
		lines = append(lines, "left out: "+why)
	}
	lines = append(lines, fmt.Sprintf("gate: %s: %s (%s nodes=%d): %s", v.Outcome, sized.Name, sized.Figure, sized.Nodes, v.Reason))
	if err := lastly(cmd, f.output, lines...); err != nil {
		return err
	}
	if err := perfEnd(r, nil); codeOf(err) == exitViolations {
		return err
	}
	return silently(v.Outcome.ExitCode())
}

// join names as a list for people.
func join[S ~string](names []S) string {
	var out []string
	for _, n := range names {
		out = append(out, string(n))
	}
	return strings.Join(out, ", ")
}

// lookingFor is the scenario's figure without a value: which way is better.
func lookingFor(s *scenario.Sized) scenario.Reading { return s.Figure.Of(&measure.Result{}) }

// storeBaseline writes what head measured.
func storeBaseline(file string, r *results.Record, fractions []float64) error {
	sized := r.Scenarios[0]
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
