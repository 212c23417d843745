package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"muster/reports/v1alpha1"
	"muster/reports/write"
)

// printReport shows a report on stdout and ends with its exit code. The summary is the last line of the table; beside
// JSON and YAML, which a program reads, it goes to stderr. failures is the directory with the evidence; empty: none.
func printReport(cmd *cobra.Command, r *v1alpha1.ConformanceReport, output string, verbose bool, failures string) error {
	out, summary := cmd.OutOrStdout(), cmd.ErrOrStderr()
	if output == "table" {
		summary = out
	}
	err := printAs(out, output, r, func(w io.Writer) error {
		if err := write.Table(w, r, write.TableOptions{Colour: isTerminal(w), Verbose: verbose}); err != nil {
			return err
		}
		return write.Unpassed(w, r, failures)
	})
	if err != nil {
		return fmt.Errorf("printing the report: %w", err)
	}
	if r.Summary.Incomplete {
		_, _ = fmt.Fprintln(cmd.ErrOrStderr(), "this report is incomplete: the run ended before all scenarios did")
	}
	if r.Summary.Reason != "" {
		_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "exit code %d: %s\n", r.Summary.ExitCode, r.Summary.Reason)
	}
	if _, err := fmt.Fprintln(summary, r.Summary.Line); err != nil {
		return fmt.Errorf("printing the report: %w", err)
	}
	return silently(r.Summary.ExitCode)
}

// printAs is print, with the order of a report's fields kept in YAML, as in the stored file.
func printAs(w io.Writer, output string, r *v1alpha1.ConformanceReport, table func(io.Writer) error) error {
	if output == "yaml" {
		return write.YAML(w, r)
	}
	return print(w, output, r, table)
}

// isTerminal reports whether a writer is a terminal and wants colour (https://no-color.org).
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
