package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"muster/reports/write"
	"muster/suites/requirements"
	"muster/suites/run/conduct"
)

func newListCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List requirements, scenarios or profiles",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(fmt.Errorf("list what? requirements, scenarios or profiles"))
			}
			return usage(fmt.Errorf("cannot list %q: use requirements, scenarios or profiles", args[0]))
		},
	}
	cmd.AddCommand(
		listCommand("requirements", "What a conforming scheduler or control plane must satisfy", listRequirements),
		listCommand("scenarios", "What is done to put requirements to the test", listScenarios),
		listCommand("profiles", "Sets of requirements that are judged and claimed together", listProfiles),
	)
	return cmd
}

// listCommand lists one kind of thing: the list as data, and as a table.
func listCommand(name, short string, list func() (any, table.Writer, error)) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use: name, Short: short, Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			data, rows, err := list()
			if err != nil {
				return err
			}
			return print(cmd.OutOrStdout(), output, data, func(w io.Writer) error {
				_, err := fmt.Fprintln(w, rows.Render())
				return err
			})
		},
	}
	outputFlag(cmd, &output, "table")
	return cmd
}

func listRequirements() (any, table.Writer, error) {
	c, err := conduct.Catalogue()
	if err != nil {
		return nil, nil, err
	}
	t := write.NewTable("ID", "LEVEL", "MATURITY", "CORE", "PROFILE", "TITLE")
	for _, r := range c.Requirements {
		core := ""
		if r.Core {
			core = "core"
		}
		t.AppendRow(table.Row{r.ID, r.Level, r.Maturity, core, r.Profile, r.Title})
	}
	return c.Requirements, t, nil
}

// listedScenario is a scenario as data: what can be said of it without its functions.
type listedScenario struct {
	Name         string   `json:"name"`
	Profile      string   `json:"profile"`
	Summary      string   `json:"summary"`
	Requirements []string `json:"requirements"`
	Isolation    string   `json:"isolation"`
	Capabilities []string `json:"capabilities,omitempty"`
	Seconds      int      `json:"seconds"`
}

func listScenarios() (any, table.Writer, error) {
	c, err := conduct.Catalogue()
	if err != nil {
		return nil, nil, err
	}
	t := write.NewTable("NAME", "PROFILE", "ISOLATION", "REQUIREMENTS", "SUMMARY")
	out := []listedScenario{}
	for _, s := range c.Scenarios {
		isolation := string(s.Isolation)
		if isolation == "" {
			isolation = "Shared"
		}
		out = append(out, listedScenario{
			Name: s.Name, Profile: s.Profile, Summary: s.Summary, Requirements: s.Requirements,
			Isolation: isolation, Capabilities: s.Needs.Capabilities, Seconds: s.Weight,
		})
		t.AppendRow(table.Row{s.Name, s.Profile, isolation, strings.Join(s.Requirements, ","), s.Summary})
	}
	return out, t, nil
}

// listedProfile is a profile with the number of its requirements.
type listedProfile struct {
	Name         string   `json:"name"`
	Summary      string   `json:"summary"`
	Areas        []string `json:"areas"`
	Requirements int      `json:"requirements"`
	Core         int      `json:"core"`
}

func listProfiles() (any, table.Writer, error) {
	c, err := conduct.Catalogue()
	if err != nil {
		return nil, nil, err
	}
	t := write.NewTable("NAME", "AREAS", "REQUIREMENTS", "CORE", "SUMMARY")
	out := []listedProfile{}
	for _, p := range requirements.Profiles() {
		l := listedProfile{Name: p.Name, Summary: p.Summary, Areas: p.Areas, Core: len(requirements.Core(c.Requirements, p.Name))}
		for _, r := range c.Requirements {
			if r.Profile == p.Name {
				l.Requirements++
			}
		}
		out = append(out, l)
		t.AppendRow(table.Row{l.Name, strings.Join(l.Areas, ","), l.Requirements, l.Core, l.Summary})
	}
	return out, t, nil
}
