package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"muster/fakes/standing"
)

func newDownCommand() *cobra.Command {
	var name string
	var all bool
	cmd := &cobra.Command{
		Use:   "down",
		Short: "Take a cluster down again, leaving no process and no file",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if all && cmd.Flags().Changed("name") {
				return usage(errors.New("--name and --all exclude each other: give one of them"))
			}
			if err := refuseEmpty(cmd.Flags()); err != nil {
				return usage(err)
			}
			names := []string{name}
			if all {
				var err error
				if names, err = standing.Names(); err != nil {
					return err
				}
				if len(names) == 0 {
					_, _ = fmt.Fprintln(cmd.ErrOrStderr(), "no cluster is up")
				}
			}
			var errs []error
			for _, n := range names {
				err := standing.Down(cmd.Context(), n)
				if notUp := (*standing.NotUpError)(nil); errors.As(err, &notUp) {
					err = usage(err)
				}
				if err == nil {
					_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "cluster %s is down\n", n)
				}
				errs = append(errs, err)
			}
			return errors.Join(errs...)
		},
	}
	cmd.Flags().StringVar(&name, "name", defaultName, "name of the cluster")
	cmd.Flags().BoolVar(&all, "all", false, "take down every cluster of yours")
	return cmd
}
