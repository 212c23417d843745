package main

import (
	"fmt"
	"io"
	"os"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"muster/reports/v1alpha1"
	"muster/reports/write"
	"muster/suites/run/conduct"
)

func newReportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Render and compare reports",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(fmt.Errorf("report what? render or compare (see %s --help)", cmd.CommandPath()))
			}
			return usage(unknownVerb(cmd, args[0]))
		},
	}
	cmd.AddCommand(newRenderCommand(), newCompareCommand())
	return cmd
}

func newRenderCommand() *cobra.Command {
	var form string
	forms := map[string]func(io.Writer, *v1alpha1.ConformanceReport) error{
		"markdown": write.Markdown, "junit": write.JUnit, "yaml": write.YAML, "json": write.JSON,
		"table": func(w io.Writer, r *v1alpha1.ConformanceReport) error {
			return write.Table(w, r, write.TableOptions{Colour: isTerminal(w)})
		},
	}
	cmd := &cobra.Command{
		Use:     "render REPORT|DIR",
		Short:   "Write a stored report in another form on stdout",
		Example: "  muster report render --as markdown muster-out/20261128-101500/report.yaml",
		Args:    exactly(1, "one report file or output directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			to, ok := forms[form]
			if !ok {
				return usage(fmt.Errorf("unknown form %q: use markdown, junit, yaml, json or table", form))
			}
			r, err := readReport(args[0])
			if err != nil {
				return usage(err)
			}
			return to(cmd.OutOrStdout(), r)
		},
	}
	cmd.Flags().StringVar(&form, "as", "markdown", "form: markdown, junit, yaml, json or table")
	return cmd
}

func newCompareCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "List the requirements whose verdict differs; exit 1 where one is worse",
		Args:  exactly(2, "two report files or output directories, the old one first"),
		RunE: func(cmd *cobra.Command, args []string) error {
			before, err := readReport(args[0])
			if err != nil {
				return usage(err)
			}
			after, err := readReport(args[1])
			if err != nil {
				return usage(err)
			}
			c := v1alpha1.Compare(before, after)
			if !c.SameQuestions {
				_, _ = fmt.Fprintln(cmd.ErrOrStderr(), "the two reports were asked different questions: their expected sets differ")
			}
			if c.OnlyOld+c.OnlyNew > 0 {
				_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "compared are the %d requirements that both have; %d are only in the old report and %d only in the new one\n",
					c.Both, c.OnlyOld, c.OnlyNew)
			}
			err = print(cmd.OutOrStdout(), output, c, func(w io.Writer) error { return printComparison(w, c) })
			if err != nil {
				return err
			}
			if c.Worse() {
				return silently(exitViolations)
			}
			return nil
		},
	}
	outputFlag(cmd, &output, "table")
	return cmd
}

func printComparison(w io.Writer, c v1alpha1.Comparison) error {
	if len(c.Differences) == 0 {
		_, err := fmt.Fprintln(w, "no verdict differs")
		return err
	}
	t := write.NewTable("ID", "LEVEL", "OLD", "NEW", "", "REMARK")
	for _, d := range c.Differences {
		mark := ""
		if d.Worse {
			mark = "worse"
		}
		t.AppendRow(table.Row{d.ID, d.Level, d.From, d.To, mark, d.Reason})
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

// readReport reads and validates a report: a file, or the one in a run's output directory.
func readReport(file string) (*v1alpha1.ConformanceReport, error) {
	file = conduct.Report(file)
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the report: %w", err)
	}
	r, err := v1alpha1.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

// exactly refuses another number of arguments, as the user's mistake.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return usage(fmt.Errorf("%s needs %s, got %d arguments", cmd.CommandPath(), what, len(args)))
		}
		return nil
	}
}
