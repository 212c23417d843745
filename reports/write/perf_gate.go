package write

import (
	"fmt"
	"strings"

	"muster/reports/v1alpha1"
)

// perfGate is what was decided, by what, and what it rests on.
func perfGate(b *strings.Builder, r *v1alpha1.PerfReport) {
	g, worse := r.Gate, "below"
	for _, s := range r.Scenarios {
		if s.Name == g.Scenario && !s.HigherIsBetter {
			worse = "above"
		}
	}
	outcome := map[string]string{"pass": "no regression", "regression": "a regression"}[g.Outcome]
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
			[2]string{g.Head + " / " + g.Base, fmt.Sprintf("%s [%s, %s] at %s %%, %s, p = %s; %s 1 is worse",
				digits(e.Ratio), digits(e.Low), digits(e.High), digits(100*(1-g.Alpha)), count(e.Pairs, "pair"), digits(e.P), worse)},
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
