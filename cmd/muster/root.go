package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newRootCommand assembles the verbs.
func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "muster",
		Short: "Does this Kubernetes scheduler pass muster?",
		Long: `muster puts a Kubernetes scheduler in front of a real Kubernetes control plane with thousands of simulated
GPU nodes, submits gangs of pods, records everything that happens, and judges the record against the published
behaviour of workload-aware scheduling.`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return usage(unknownVerb(cmd, args[0]))
		},
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage(fmt.Errorf("%w (see %s --help)", plainly(err), cmd.CommandPath()))
	})
	root.AddGroup(
		&cobra.Group{ID: "judge", Title: "Judging a scheduler:"},
		&cobra.Group{ID: "hand", Title: "By hand: a cluster, a scheduler:"},
		&cobra.Group{ID: "look", Title: "Looking things up:"},
	)
	root.SetHelpCommandGroupID("look")
	root.SetCompletionCommandGroupID("look")
	for group, verbs := range map[string][]*cobra.Command{
		"judge": judgingVerbs(),
		"hand":  {newUpCommand(), newDownCommand(), newStatusCommand(), newSuperviseCommand(), newSchedulerCommand()},
		"look":  append(lookingVerbs(), newVersionCommand()),
	} {
		for _, v := range verbs {
			v.GroupID = group
			root.AddCommand(v)
		}
	}
	// Linking Kubernetes fills the global flag set; none of it is muster's.
	pflag.CommandLine = pflag.NewFlagSet("muster", pflag.ContinueOnError)
	return root
}

// noArguments refuses words that are not flags, as the user's mistake.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage(fmt.Errorf("%s takes no arguments, got %q", cmd.CommandPath(), strings.Join(args, " ")))
	}
	return nil
}

func unknownVerb(cmd *cobra.Command, name string) error {
	var verbs []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			verbs = append(verbs, c.Name())
		}
	}
	err := fmt.Errorf("unknown verb %q", name)
	if near := meant(name, verbs); near != "" {
		return fmt.Errorf("%w; did you mean %s?", err, near)
	}
	return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
}

// hasMessage reports whether there is anything to print for err.
func hasMessage(err error) bool {
	e, ok := errors.AsType[*exitError](err)
	return !ok || e.err != nil
}
