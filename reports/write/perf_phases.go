package write

import (
	"fmt"
	"slices"
	"strings"

	"muster/reports/v1alpha1"
)

// perfPhases is a table of what each of several phases gave, one below the other, so that a step from one rate to the next
// is seen. Values of a phase have its name in front, with a colon.
func perfPhases(b *strings.Builder, s v1alpha1.PerfScenario) {
	type row struct{ ready, worst, rate string }
	var phases []string
	rows := map[string]map[string]*row{} // by phase and side
	for _, res := range s.Results {
		for _, m := range Gather(s, res.Side) {
			phase, name, ok := strings.Cut(m.Name, ":")
			if !ok {
				continue
			}
			if rows[phase] == nil {
				rows[phase] = map[string]*row{}
				phases = append(phases, phase)
			}
			r := rows[phase][res.Side]
			if r == nil {
				r = &row{}
				rows[phase][res.Side] = r
			}
			if i := slices.Index([]string{"gang-ready-sec", "gang-ready-max-sec", "pods/s"}, name); i >= 0 {
				*[]*string{&r.ready, &r.worst, &r.rate}[i] = shown(m)
			}
		}
	}
	if len(phases) == 0 {
		return
	}
	b.WriteString("| phase | side | gang ready | at most | pods/s |\n|---|---|---:|---:|---:|\n")
	for _, phase := range phases {
		for _, res := range s.Results {
			if r := rows[phase][res.Side]; r != nil {
				fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", cell(phase), cell(res.Side), r.ready, r.worst, r.rate)
			}
		}
	}
	b.WriteByte('\n')
}
