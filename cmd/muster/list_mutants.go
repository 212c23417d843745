package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"muster/fakes/undertest"
	"muster/reports/write"
	"muster/scheduler/mutant"
	"muster/suites/run/conduct"
)

// listedMutant is a mutant as data.
type listedMutant struct {
	Name     string   `json:"name"`
	About    string   `json:"about"`
	Profiles []string `json:"profiles"`
	Kills    []string `json:"kills"`
	May      []string `json:"may,omitempty"`
}

func listMutants(o listing) (any, table.Writer, error) {
	t := wrapped(write.NewTable("NAME", "PROFILES", "KILLS", "FAULT"), 44, "KILLS", "FAULT")
	out := []listedMutant{}
	for _, m := range mutant.All() {
		if !slices.ContainsFunc(m.Profiles, o.has) {
			continue
		}
		out = append(out, listedMutant{Name: m.Name, About: m.About, Profiles: m.Profiles, Kills: m.Kills, May: m.May})
		t.AppendRow(table.Row{m.Name, strings.Join(m.Profiles, ","), strings.Join(m.Kills, ", "), m.About})
	}
	catalogue, err := conduct.Catalogue()
	if err != nil {
		return nil, nil, err
	}
	b, err := newBroken(catalogue)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range b.subjects {
		if !slices.ContainsFunc(s.Profiles, o.has) {
			continue
		}
		out = append(out, listedMutant{Name: s.Name, About: s.About, Profiles: s.Profiles, Kills: s.Kills, May: s.May})
		t.AppendRow(table.Row{s.Name, strings.Join(s.Profiles, ","), strings.Join(s.Kills, ", "), s.About})
	}
	return out, t, nil
}

// checkMutant refuses a scheduler that is a mutant nobody knows. Other kinds are none of its business.
func checkMutant(scheduler string) error {
	name, is := strings.CutPrefix(scheduler, undertest.MutantPrefix)
	if !is {
		return nil
	}
	if _, err := mutant.ByName(name); err != nil {
		return fmt.Errorf("--scheduler %s: %w", scheduler, err)
	}
	return nil
}
