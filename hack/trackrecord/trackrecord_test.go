package trackrecord

import (
	"os"
	"slices"
	"strings"
	"testing"

	"muster/scheduler/mutant"
	"muster/suites"
	"muster/suites/requirements"
	_ "muster/suites/run/all"
)

// row is one line of the table.
type row struct{ scenarios, mutants []string }

func rows(t *testing.T) map[string]row {
	t.Helper()
	text, err := os.ReadFile("../../docs/track-record.md")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]row{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 6 || strings.HasPrefix(cells[1], "---") || strings.TrimSpace(cells[1]) == "Requirement" {
			continue
		}
		id := strings.TrimSpace(cells[1])
		if _, twice := out[id]; twice {
			t.Errorf("%s has two rows", id)
		}
		out[id] = row{list(cells[3]), list(cells[4])}
	}
	return out
}

func list(cell string) []string {
	var out []string
	for _, name := range strings.Split(cell, ",") {
		if name = strings.Trim(strings.TrimSpace(name), "`"); name != "-" {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func TestTheTrackRecordIsWhatTheCodeSays(t *testing.T) {
	told := rows(t)
	catalogue, err := requirements.All()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, r := range catalogue {
		known[r.ID] = true
		if strings.HasPrefix(r.ID, "FIELD-") && r.Level != suites.May && told[r.ID].scenarios == nil {
			t.Errorf("%s (%s) has no row", r.ID, r.Title)
		}
	}
	for id, row := range told {
		if !known[id] {
			t.Errorf("%s is not in the catalogue", id)
		}
		var scenarios, mutants []string
		for _, s := range suites.Scenarios() {
			if slices.Contains(s.Requirements, id) {
				scenarios = append(scenarios, s.Name)
			}
		}
		for _, m := range mutant.All() {
			if slices.Contains(m.Kills, id) {
				mutants = append(mutants, m.Name)
			}
		}
		slices.Sort(scenarios)
		slices.Sort(mutants)
		if !slices.Equal(scenarios, row.scenarios) {
			t.Errorf("%s: the scenarios are %v, the table has %v", id, scenarios, row.scenarios)
		}
		for _, m := range row.mutants {
			if !slices.Contains(mutants, m) {
				t.Errorf("%s: mutant %s does not declare it", id, m)
			}
		}
		if len(row.mutants) == 0 && len(mutants) > 0 {
			t.Errorf("%s: the table has a dash where there are %v", id, mutants)
		}
	}
}
