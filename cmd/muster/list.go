package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"muster/reports/write"
	"muster/suites"
	"muster/suites/requirements"
	"muster/suites/run/conduct"
	"muster/suites/run/plan"
)

func newListCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List requirements, scenarios, profiles, mutants or performance scenarios",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(fmt.Errorf("list what? requirements, scenarios, profiles, mutants or perf"))
			}
			return usage(fmt.Errorf("cannot list %q: use requirements, scenarios, profiles, mutants or perf", args[0]))
		},
	}
	cmd.AddCommand(
		listCommand("requirements", "What a conforming scheduler or control plane must satisfy", listRequirements),
		listCommand("scenarios", "What is done to put requirements to the test", listScenarios),
		listCommand("profiles", "Sets of requirements that are judged and claimed together", listProfiles),
		listCommand("mutants", "Schedulers with a seeded fault, and what must be found violated by each", listMutants),
		listCommand("perf", "Performance scenarios, in their own sizes", listPerf),
	)
	return cmd
}

// listCommand lists one kind of thing: the list as data, and as a table.
func listCommand(name, short string, list func(listing) (any, table.Writer, error)) *cobra.Command {
	var output string
	var o listing
	cmd := &cobra.Command{
		Use: name, Short: short, Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.wide = output == "wide"
			if o.wide && name == "requirements" {
				output = "table"
			}
			if err := o.check(); err != nil {
				return usage(err)
			}
			data, rows, err := list(o)
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
	cmd.Flags().StringSliceVar(&o.profiles, "profile", nil, "only these profiles")
	if name == "requirements" {
		cmd.Flags().Lookup("output").Usage = "how to print: table, wide (with each requirement's sentence and its sources), json or yaml"
	}
	return cmd
}

// listing is what is listed, and how.
type listing struct {
	profiles []string
	wide     bool
}

// check refuses profiles that do not exist.
func (l listing) check() error {
	c, err := conduct.Catalogue()
	if err != nil {
		return err
	}
	for _, p := range l.profiles {
		if err := plan.Check("profile", p, c.Profiles()); err != nil {
			return err
		}
	}
	return nil
}

// has reports whether a profile was asked for.
func (l listing) has(profile string) bool {
	return len(l.profiles) == 0 || slices.Contains(l.profiles, profile)
}

// wrapped is a table whose last columns share the width that the terminal leaves (120 characters where it is none).
func wrapped(t table.Writer, fixed int, columns ...string) table.Writer {
	width := 120
	if w, ok := terminalWidth(); ok {
		width = w
	}
	each := max(24, (width-fixed)/len(columns))
	var configs []table.ColumnConfig
	for _, c := range columns {
		configs = append(configs, table.ColumnConfig{Name: c, WidthMax: each, WidthMaxEnforcer: text.WrapSoft})
	}
	t.SetColumnConfigs(configs)
	return t
}

func listRequirements(o listing) (any, table.Writer, error) {
	c, err := conduct.Catalogue()
	if err != nil {
		return nil, nil, err
	}
	listed := slices.DeleteFunc(slices.Clone(c.Requirements), func(r suites.Requirement) bool { return !o.has(r.Profile) })
	t := wrapped(write.NewTable("ID", "LEVEL", "MATURITY", "CORE", "PROFILE", "TITLE"), 50, "TITLE")
	if o.wide {
		t = wrapped(write.NewTable("ID", "LEVEL", "TITLE", "TEXT", "SOURCES"), 20, "TITLE", "TEXT", "SOURCES")
	}
	for _, r := range listed {
		if o.wide {
			t.AppendRow(table.Row{r.ID, r.Level, r.Title, r.Text, sources(r)})
			continue
		}
		core := ""
		if r.Core {
			core = "core"
		}
		t.AppendRow(table.Row{r.ID, r.Level, r.Maturity, core, r.Profile, r.Title})
	}
	return listed, t, nil
}

// sources says where a requirement comes from, one source a line.
func sources(r suites.Requirement) string {
	var lines []string
	for _, s := range r.Sources {
		line := strings.TrimSpace(s.Kind + " " + s.Ref)
		if s.Quote != "" {
			line += ": \"" + s.Quote + "\""
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
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

func listScenarios(o listing) (any, table.Writer, error) {
	c, err := conduct.Catalogue()
	if err != nil {
		return nil, nil, err
	}
	t := wrapped(write.NewTable("NAME", "PROFILE", "ISOLATION", "REQUIREMENTS", "SUMMARY"), 64, "REQUIREMENTS", "SUMMARY")
	out := []listedScenario{}
	for _, s := range c.Scenarios {
		if !o.has(s.Profile) {
			continue
		}
		isolation := string(s.Isolation)
		if isolation == "" {
			isolation = "Shared"
		}
		out = append(out, listedScenario{
			Name: s.Name, Profile: s.Profile, Summary: s.Summary, Requirements: s.Requirements,
			Isolation: isolation, Capabilities: s.Needs.Capabilities, Seconds: s.Weight,
		})
		t.AppendRow(table.Row{s.Name, s.Profile, isolation, strings.Join(s.Requirements, ", "), s.Summary})
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

func listProfiles(o listing) (any, table.Writer, error) {
	c, err := conduct.Catalogue()
	if err != nil {
		return nil, nil, err
	}
	t := wrapped(write.NewTable("NAME", "AREAS", "REQUIREMENTS", "CORE", "SUMMARY"), 50, "SUMMARY")
	out := []listedProfile{}
	for _, p := range requirements.Profiles() {
		if !o.has(p.Name) {
			continue
		}
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
