package write

import (
	"fmt"
	"strings"

	"muster/reports/v1alpha1"
)

// perfGate is what was decided, by what, and what it rests on.
func perfGate(b *strings.Builder, g *v1alpha1.PerfGate) {
	outcome := map[string]string{"pass": "no regression", "regression": "a regression", "undecidable": "not decidable"}[g.Outcome]
	if outcome == "" {
		outcome = g.Outcome
	}
	fmt.Fprintf(b, "## Gate: %s\n\n%s\n\n", outcome, g.Reason)
	rows := [][2]string{
		{"figure", fmt.Sprintf("%s of %s, %s against %s", g.Figure, g.Scenario, g.Head, g.Base)},
		{"is there to see", fmt.Sprintf("a loss of %s %%, at α = %s", digits(100*g.Loss), digits(g.Alpha))},
	}
	if g.Tolerance > 0 {
		rows = append(rows, [2]string{"accepts", "a loss of " + digits(100*g.Tolerance) + " %"})
	}
	if e := g.Effect; e != nil {
		rows = append(rows,
			[2]string{g.Head + " / " + g.Base, fmt.Sprintf("%s [%s, %s], %d pairs, p = %s", digits(e.Ratio), digits(e.Low), digits(e.High), e.Pairs, digits(e.P))},
			[2]string{"would have seen", "a loss of " + digits(100*e.Detectable) + " %"},
			[2]string{"spread", fmt.Sprintf("CV of %s %s %%, of %s %s %%, of the ratio %s %%; running second: × %s",
				g.Base, digits(100*e.CVBase), g.Head, digits(100*e.CVHead), digits(100*e.CV), digits(e.Drift))})
	}
	if g.BaseOfCeiling != nil && g.HeadOfCeiling != nil {
		rows = append(rows, [2]string{"of the ceiling", fmt.Sprintf("%s %s, %s %s", g.Base, digits(*g.BaseOfCeiling), g.Head, digits(*g.HeadOfCeiling))})
	}
	for _, why := range g.Dropped {
		rows = append(rows, [2]string{"left out", why})
	}
	b.WriteString("| | |\n|---|---|\n")
	for _, row := range rows {
		fmt.Fprintf(b, "| %s | %s |\n", cell(row[0]), cell(row[1]))
	}
	b.WriteByte('\n')
}
