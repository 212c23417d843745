package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"muster/suites/run/conduct"
	"muster/suites/run/progress"
)

func newConformanceCommand() *cobra.Command {
	var f conformanceFlags
	cmd := &cobra.Command{
		Use:   "conformance",
		Short: "Judge a scheduler; writes a report directory",
		Long: `Start a Kubernetes control plane with simulated GPU nodes, put the scheduler under test in front of it, run the
scenarios, judge what was recorded, and write a report.

Exit codes: 0 nothing to object to; 1 violations, or a failure listed as known that did not happen; 2 usage;
3 inconclusive, a harness error, or a profile named with --profile in which no MUST was executed (without --profile: no MUST at all); 130 interrupted. The last line on stdout sums up (with -o json or yaml, on stderr).`,
		Example: `  muster conformance
  muster conformance --profile gang --scheduler-exec './my-scheduler --kubeconfig {{.Kubeconfig}}' --scheduler-name mine
  muster conformance --requirement GANG-003 --seed 7 -v`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.add(cmd)
	return cmd
}

func (f *conformanceFlags) run(cmd *cobra.Command) error {
	if err := checkOutput(f.output); err != nil {
		return err
	}
	o, err := f.options(cmd.Flags())
	if err != nil {
		return usage(err)
	}
	telling := progress.New(cmd.ErrOrStderr(), isTerminal(cmd.ErrOrStderr()))
	o.Progress = telling
	report, out, err := conduct.Run(cmd.Context(), o)
	telling.Done()
	var wrong *conduct.UsageError
	switch {
	case errors.As(err, &wrong):
		return usage(err)
	case err != nil && cmd.Context().Err() != nil:
		return withCode(exitInterrupted, err)
	case err != nil:
		return withCode(exitInconclusive, err)
	}
	_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "report: %s\n", out)
	return printReport(cmd, report, f.output, f.verbose, conduct.Failures(out))
}
