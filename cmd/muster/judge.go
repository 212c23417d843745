package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"muster/suites/history"
	"muster/suites/run/conduct"
)

func newJudgeCommand() *cobra.Command {
	var f struct {
		known, output string
		verbose       bool
	}
	cmd := &cobra.Command{
		Use:   "judge FILE|DIR…",
		Short: "Judge stored histories again",
		Long: `Judge the histories of one run again, with the very functions that give live verdicts. Give all shards of the run
(its output directory, or OUT/history/*.jsonl) to get its verdicts; a single shard, or the slice in a failure folder, is judged on what it holds.

Exit codes are those of muster conformance. A corrupt or truncated line is exit 2 and named with its number.`,
		Example: `  muster judge muster-out/20261128-101500
  muster judge muster-out/20261128-101500/history/*.jsonl
  muster judge muster-out/20261128-101500/failures/gang-short-of-one-slot/history.jsonl`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(errors.New("judge needs at least one history file"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkOutput(f.output); err != nil {
				return err
			}
			known, err := readKnown(f.known)
			if err != nil {
				return usage(err)
			}
			files, err := conduct.Histories(args)
			if err != nil {
				return usage(err)
			}
			report, warnings, err := conduct.Stored(files, known)
			for _, w := range warnings {
				_, _ = fmt.Fprintln(cmd.ErrOrStderr(), w)
			}
			var corrupt *history.Problem
			var path *os.PathError
			var wrong *conduct.UsageError
			switch {
			case errors.As(err, &corrupt), errors.As(err, &path), errors.As(err, &wrong):
				return usage(err)
			case err != nil:
				return withCode(exitInconclusive, err)
			}
			return printReport(cmd, report, f.output, f.verbose, "")
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.known, "known-findings", "", "file with further known findings")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "say more: what was established for every requirement")
	outputFlag(cmd, &f.output, "table")
	return cmd
}
