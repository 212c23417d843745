package write

import (
	"fmt"
	"strings"

	"muster/reports/v1alpha1"
)

// perfSides says what each side was: without that nobody knows whose figures these are.
func perfSides(b *strings.Builder, r *v1alpha1.PerfReport) {
	b.WriteString("| side | what | version | muster's revision | executable or command |\n|---|---|---|---|---|\n")
	for _, s := range r.Sides {
		started := s.Path
		if s.Exec != "" {
			started = s.Exec
		}
		if started != "" {
			started = "`" + started + "`"
		}
		row := []string{s.Name, s.Kind, s.Version, s.Revision, started}
		for i := range row {
			row[i] = cell(row[i])
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
	}
	b.WriteByte('\n')
}
