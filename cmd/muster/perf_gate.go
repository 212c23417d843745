package main

import (
	"errors"

	"github.com/spf13/cobra"

	"muster/fakes/undertest"
	"muster/perf/compare"
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
	names              nameFlags
	scheduler          string
	headScheduler      string
	baseline, store    string
	handicap           float64
	options            compare.Options
}

// gateRuns is how often a gate runs each side. Twelve pairs decide where runs spread by 5 %; on the machines that muster was
// built on they spread by 10 %, and twenty see a loss of a tenth in 97 of 100 gates (docs/performance.md).
const gateRuns = 20

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
fractions of the ceiling, and test one figure one-sided on the logarithms of the ratios. A block that an invalid run has
spoilt is made again, up to a third of them.

--base and --head are executables of muster, whose built-in --scheduler is measured; --base-exec and --head-exec are
commands. --store writes what head measured as a baseline for --baseline, of as many runs as a gate needs: fractions of the
ceiling, so that it can be of no figure the ceiling lacks (solve).

Where the API server is the limit, all schedulers bind alike, and throughput tells nothing. So a gate on throughput runs the
ceiling too, and is undecidable where a side reaches 90 % of it. --figure solve (time the scheduler's algorithm took, by its
own histograms) and --figure scheduler-cpu (CPU time of its process, of any scheduler), both for a thousand pods, tell
schedulers apart there. Commands have to say with --exec-client-qps which client limit they were given.

Exit codes: 0 no regression, and one would have been seen; 4 a regression; 3 undecidable, with the reason; 1 the
scheduler broke rules while it was measured; 2 usage; 130 interrupted.`,
		Example: `  muster perf gate --base ./old/muster --head ./new/muster --scheduler reference --scenario gangs-of-8 --nodes 500 --figure solve
  muster perf gate --base ./muster --head-scheduler mutant:slowed-by-50 --scenario gangs-of-8 --nodes 500 --figure solve
  muster perf gate --base-exec './old --kubeconfig {{.Kubeconfig}}' --head-exec './new --kubeconfig {{.Kubeconfig}}' \
    --exec-client-qps 5000 --scenario gangs-of-8 --nodes 500 --figure scheduler-cpu
  muster perf gate --head-exec './mine --kubeconfig {{.Kubeconfig}}' --store mine.yaml --runs 22 --scenario gangs-of-8 --nodes 500
  muster perf gate --head-exec './mine --kubeconfig {{.Kubeconfig}}' --baseline mine.yaml --scenario gangs-of-8 --nodes 500`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.add(cmd, gateRuns)
	f.ceiling.add(cmd)
	flags := cmd.Flags()
	f.names.add(flags)
	flags.StringVar(&f.base, "base", "", "executable of muster whose scheduler is the one to compare with")
	flags.StringVar(&f.head, "head", "", "executable of muster whose scheduler is gated (default this one)")
	flags.StringVar(&f.baseExec, "base-exec", "", "command to compare with")
	flags.StringVar(&f.headExec, "head-exec", "", "command that is gated")
	flags.StringVar(&f.scheduler, "scheduler", undertest.Reference, "built-in scheduler of --base and --head")
	flags.StringVar(&f.headScheduler, "head-scheduler", "", "built-in scheduler of --head, where it is another (default --scheduler)")
	flags.StringVar((*string)(&f.figure), "figure", "", "what the gate tests: "+join(scenario.Figures)+" (default the scenario's own)")
	flags.StringVar(&f.baseline, "baseline", "", "stored baseline to compare with instead of a base")
	flags.StringVar(&f.store, "store", "", "file to write what head measured to, as a baseline")
	flags.Float64Var(&f.handicap, "head-handicap", 0, "halt head's scheduler for this share of its time, to see that the gate would notice")
	flags.Float64Var(&f.options.Alpha, "alpha", 0.01, "false-alarm rate for equal sides")
	flags.Float64Var(&f.options.Loss, "loss", 0.1, "the loss the gate is there to see")
	flags.Float64Var(&f.options.Power, "power", 0.95, "the probability with which it must be seen")
	flags.Float64Var(&f.options.Tolerance, "tolerance", 0, "the loss that is accepted")
	flags.IntVar(&f.options.MinRuns, "min-runs", 12, "the least number of pairs of runs that decide, and of runs that are stored")
	return cmd
}

func (f *gateFlags) run(cmd *cobra.Command) error {
	if err := checkOutput(f.output); err != nil {
		return err
	}
	sides, stored, err := f.sides(cmd.Flags().Changed)
	if err != nil {
		return usage(err)
	}
	if err := builds(cmd.Context(), sides); err != nil {
		return usage(err)
	}
	if err := checkStore(f.store); err != nil {
		return usage(err)
	}
	o, err := f.perfFlags.options(cmd, sides)
	if errors.Is(err, runner.ErrNoAnswer) {
		err = f.unanswered(o.Scenarios[0], sides)
	}
	if err != nil {
		return usage(err)
	}
	r, err := measurePerf(cmd, &f.perfFlags, o, func(r *results.Record) []string { return f.decide(r, stored) })
	if r == nil {
		return err
	}
	printed := printPerf(cmd, r, &f.perfFlags)
	switch {
	case r.Incomplete:
		return errors.Join(printed, perfEnd(r, err))
	case err != nil: // not all of it could be written down; the verdict stands, and there may be a baseline to store
		err = perfEnd(r, withCode(exitInconclusive, err))
	}
	return errors.Join(err, printed, f.end(cmd, r))
}
