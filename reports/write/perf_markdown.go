package write

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"muster/reports/v1alpha1"
)

// sparkWidth fits a table cell.
const sparkWidth = 40

// PerfMarkdown writes a performance report for people: the figures, how they were measured, and everything that keeps a
// run from being a measurement.
func PerfMarkdown(w io.Writer, r *v1alpha1.PerfReport) error {
	var b strings.Builder
	b.WriteString("# Performance\n\n")
	if len(r.Summary.Lines) > 0 {
		fmt.Fprintf(&b, "```\n%s\n```\n\n", strings.Join(r.Summary.Lines, "\n"))
	}
	if r.Summary.Incomplete {
		fmt.Fprintf(&b, "**This report is incomplete**: %d of %d runs were made before it was interrupted.\n\n", r.Summary.Made, r.Summary.Planned)
	}
	if r.Summary.Indicative {
		b.WriteString("**Indicative**: too few or too small runs for more than a first look.\n\n")
	}
	if r.Gate != nil {
		perfGate(&b, r)
	}
	perfProvenance(&b, r)
	perfSides(&b, r)
	for _, s := range r.Scenarios {
		perfScenario(&b, r, s)
	}
	perfProblems(&b, r)
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing markdown: %w", err)
	}
	return nil
}

func perfProvenance(b *strings.Builder, r *v1alpha1.PerfReport) {
	p := r.Provenance
	machine := fmt.Sprintf("%d CPUs", p.Machine.CPUs)
	if p.Machine.CPU != "" {
		machine += " (" + p.Machine.CPU + ")"
	}
	if p.Machine.MemoryBytes > 0 {
		machine += fmt.Sprintf(", %d GiB", p.Machine.MemoryBytes>>30)
	}
	b.WriteString("| | |\n|---|---|\n")
	for _, row := range [][2]string{
		{"command", "`" + p.Command + "`"}, {"machine", machine}, {"Kubernetes", p.Kubernetes}, {"muster", p.Muster},
		{"started", p.Started.UTC().Format("2006-01-02 15:04:05 UTC")}, {"took", digits(p.Seconds) + " s"},
		{"runs", fmt.Sprintf("%d planned, %d made, %d valid", r.Summary.Planned, r.Summary.Made, r.Summary.Valid)},
		{"seed", strconv.FormatInt(p.Seed, 10)},
	} {
		if row[1] != "" {
			fmt.Fprintf(b, "| %s | %s |\n", row[0], cell(row[1]))
		}
	}
	b.WriteByte('\n')
}

func perfScenario(b *strings.Builder, r *v1alpha1.PerfReport, s v1alpha1.PerfScenario) {
	fmt.Fprintf(b, "## %s, %d nodes\n\n", s.Name, s.Nodes)
	if s.About != "" {
		fmt.Fprintf(b, "%s %s, %s.", s.About, count(s.Pods, "pod"), count(s.Groups, "group"))
		if s.Upstream != "" {
			fmt.Fprintf(b, " Upstream's twin: `%s`.", s.Upstream)
		}
		b.WriteString("\n\n")
	}
	if len(s.Results) == 0 {
		b.WriteString("Not run.\n\n")
		return
	}
	fmt.Fprintf(b, "| side | valid | %s (%s, %s is better) | interval of the median | CV | of ceiling | gang ready | partial in flight | partial at rest | partial, longest | scheduler CPU | scheduler memory | calls/pod | binds a second |\n",
		s.Figure, s.Unit, better(s))
	b.WriteString("|---|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|\n")
	for _, res := range s.Results {
		row := append([]string{res.Side, fmt.Sprintf("%d of %d", res.Valid, res.Runs), "n/a"}, make([]string, 11)...)
		if res.Median != nil {
			row[2] = digits(*res.Median)
			if res.Valid > 1 { // one run has no spread
				row[3], row[4] = interval(*res.Low, *res.High, *res.Confidence), digits(100**res.CV)+" %"
			}
		}
		for _, m := range Gather(s, res.Side) {
			if i, ok := columns[m.Name]; ok {
				row[i] = shown(m)
			}
		}
		if run := typical(s, res); run != nil {
			row[13] = sparkline(run.BindsPerSecond, sparkWidth)
		}
		for i := range row {
			row[i] = cell(row[i])
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
	}
	b.WriteByte('\n')
	perfPhases(b, s)
	for _, q := range s.Ratios {
		fmt.Fprintf(b, "- %s / %s = %s", q.Of, q.To, digits(q.Ratio))
		if q.Low != nil {
			fmt.Fprintf(b, " [%s, %s] at 95 %%, %s, CV %s %%", digits(*q.Low), digits(*q.High), count(q.Pairs, "pair"), digits(100**q.CV))
		} else {
			fmt.Fprintf(b, ", of the medians: too few pairs of runs (%d) for an interval", q.Pairs)
		}
		b.WriteByte('\n')
	}
	if len(s.Ratios) > 0 {
		fmt.Fprintf(b, "\nOf %s %s is better: a ratio %s 1 says that the first of the two is.\n\n", s.Unit, better(s),
			map[bool]string{true: "above", false: "below"}[s.HigherIsBetter])
	}
	perfConditions(b, r, s)
}

// columns of the values in the table of a scenario.
var columns = map[string]int{"of-ceiling": 5, "gang-ready-sec": 6, "partial-in-flight": 7, "partial-at-rest": 8, "partial-longest-sec": 9,
	"scheduler-cpu-sec": 10, "scheduler-peak-B": 11, "calls/pod": 12}

// better is the direction of a scenario's figure in a word.
func better(s v1alpha1.PerfScenario) string {
	if s.HigherIsBetter {
		return "more"
	}
	return "less"
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func shown(m Measure) string {
	v := Middle(m.Values)
	switch {
	case strings.HasPrefix(m.Name, "partial-") && m.Unit == "ratio":
		return digits(100*v) + " %"
	case m.Unit == "B":
		return digits(v/(1<<20)) + " MiB"
	case m.Unit == "sec":
		return digits(v) + " s"
	}
	return digits(v)
}

// typical is the valid run whose figure is nearest to the median; nil where there is none.
func typical(s v1alpha1.PerfScenario, res v1alpha1.PerfResult) *v1alpha1.PerfRun {
	var best *v1alpha1.PerfRun
	nearest := math.Inf(1)
	for i := range s.Runs {
		run := &s.Runs[i]
		if run.Side != res.Side || !run.Valid || run.Figure == nil || res.Median == nil {
			continue
		}
		if d := math.Abs(*run.Figure - *res.Median); d < nearest {
			best, nearest = run, d
		}
	}
	return best
}

func interval(low, high, confidence float64) string {
	return fmt.Sprintf("[%s, %s] at %.0f %%", digits(low), digits(high), 100*confidence)
}

// digits is a number with three significant digits, never in exponents.
func digits(v float64) string {
	if math.Abs(v) >= 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	if err != nil {
		return strconv.FormatFloat(v, 'g', -1, 64) // not a number, or infinite
	}
	return strconv.FormatFloat(short, 'f', -1, 64)
}
