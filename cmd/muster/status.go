package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"muster/fakes/standing"
)

func newStatusCommand() *cobra.Command {
	var name, output string
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show the clusters that are up and what they use",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkOutput(output); err != nil {
				return err
			}
			if err := refuseEmpty(cmd.Flags()); err != nil {
				return usage(err)
			}
			list, err := statuses(name)
			if err != nil {
				return err
			}
			return print(cmd.OutOrStdout(), output, map[string]any{"clusters": list}, func(w io.Writer) error {
				if len(list) == 0 {
					_, err := fmt.Fprintln(w, "no cluster is up")
					return err
				}
				return statusTable(w, list, time.Now())
			})
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "show only the cluster of this name")
	outputFlag(cmd, &output, "table")
	return cmd
}

func statuses(name string) ([]standing.Status, error) {
	if name == "" {
		list, err := standing.List()
		if list == nil {
			list = []standing.Status{} // an empty list, not null, for programs
		}
		return list, err
	}
	s, err := standing.Look(name)
	if errors.Is(err, fs.ErrNotExist) {
		names, _ := standing.Names()
		return nil, usage(&standing.NotUpError{Name: name, Up: names})
	}
	return []standing.Status{s}, err
}

func statusTable(w io.Writer, list []standing.Status, now time.Time) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	line := func(format string, args ...any) { _, _ = fmt.Fprintf(t, format+"\n", args...) }
	line("NAME\tPHASE\tREADY\tAGE\tNODES\tDEVICES\tSCHEDULER\tMEMORY\tKUBECONFIG")
	for _, s := range list {
		age := "-"
		if !s.Since.IsZero() {
			age = now.Sub(s.Since).Round(time.Second).String()
		}
		line("%s\t%s\t%s\t%s\t%d\t%d\t%s\t%s\t%s", s.Name, s.Phase, readyAfter(s.Record), age, s.Nodes, s.Devices, orDash(s.Scheduler), mebibytes(s.RSS), orDash(s.Kubeconfig))
	}
	for _, s := range list {
		if len(s.Usage) > 0 {
			line("\nPROCESS OF %s\tPID\tCPU\tMEMORY", s.Name)
		}
		for _, p := range s.Usage {
			line("%s\t%d\t%s\t%s", p.Name, p.PID, p.CPU.Round(10*time.Millisecond), mebibytes(p.RSS))
		}
		if s.Problem != "" {
			line("\n%s: %s", s.Name, s.Problem)
		}
	}
	return t.Flush()
}

// readyAfter is how long the start took and how long until everything could be listed.
func readyAfter(r standing.Record) string {
	if r.ReadyAfter == 0 {
		return "-"
	}
	text := fmt.Sprintf("%.1f s", r.ReadyAfter)
	if r.VisibleAfter > 0 {
		text += fmt.Sprintf(" (visible %.1f s)", r.VisibleAfter)
	}
	return text
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func mebibytes(b int64) string { return fmt.Sprintf("%d MiB", b>>20) }
