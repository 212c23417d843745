package prove

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"muster/reports/write"
)

// Table writes a proof for people: the requirements with their killers, then the mutants.
func (p Proof) Table(w io.Writer) error {
	rows := write.NewTable("ID", "LEVEL", "KILLED BY", "ALSO VIOLATED BY")
	for _, r := range p.Requirements {
		rows.AppendRow(table.Row{r.ID, r.Level, or(strings.Join(r.KilledBy, ", "), "nobody"), strings.Join(r.TouchedBy, ", ")})
	}
	mutants := write.NewTable("MUTANT", "COUNTS", "KILLS", "PASSED", "WHY NOT")
	for _, m := range p.Mutants {
		counts := "yes"
		if !m.Counts {
			counts = "no"
		}
		passed := fmt.Sprintf("%d of %d", len(m.Trial.Passed), len(m.Trial.Passed)+len(m.Trial.Failed))
		mutants.AppendRow(table.Row{m.Name, counts, strings.Join(m.Killed, ", "), passed, m.Why + m.detail()})
	}
	if _, err := fmt.Fprintf(w, "%s\n\n%s\n", rows.Render(), mutants.Render()); err != nil {
		return fmt.Errorf("writing the proof: %w", err)
	}
	return nil
}
