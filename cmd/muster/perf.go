package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newPerfCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "perf",
		Short: "Measure schedulers: run, compare, gate, ceiling",
		Long: `Measure how fast a scheduler is: pods a second, how long gangs take until they can run, what it leaves half placed, and
what it costs. Every run gets a control plane of its own, is judged by the same checks as a conformance run, and says
under which conditions it was made. Figures of two machines, or two days, are not compared: sides are run in turns.

muster list perf names the scenarios.`,
		Args: cobra.ArbitraryArgs,
		// Behind a verb there is not, flags are not what is wrong.
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(fmt.Errorf("perf what? run, compare, gate or ceiling (see %s --help)", cmd.CommandPath()))
			}
			return usage(unknownVerb(cmd, args[0]))
		},
	}
	cmd.AddCommand(newPerfRunCommand(), newPerfCompareCommand(), newPerfGateCommand(), newPerfCeilingCommand())
	return cmd
}
