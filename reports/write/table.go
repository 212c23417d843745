package write

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"muster/reports/v1alpha1"
	"muster/suites"
)

// TableOptions says how a table looks.
type TableOptions struct {
	// Colour verdicts. Off by default, so that a file or a pipe gets plain text.
	Colour bool
	// Verbose shows a remark for what passed, too.
	Verbose bool
	// Width is the greatest width of the remark column in characters (default 70).
	Width int
}

// Table writes the verdicts as a table and, below it, a line a profile. It does not write the summary line.
func Table(w io.Writer, r *v1alpha1.ConformanceReport, o TableOptions) error {
	if o.Width <= 0 {
		o.Width = 70
	}
	t := NewTable("ID", "LEVEL", "REQUIREMENT", "VERDICT", "REMARK")
	t.SetColumnConfigs([]table.ColumnConfig{
		{Name: "REQUIREMENT", WidthMax: 44, WidthMaxEnforcer: text.WrapSoft},
		{Name: "REMARK", WidthMax: o.Width, WidthMaxEnforcer: text.WrapSoft},
	})
	for _, q := range r.Requirements {
		remark := Remark(q)
		if o.Verbose {
			remark = firstOf(remark, q.Reason)
		}
		label := Label(q)
		if o.Colour {
			label = colour(q).Sprint(label)
		}
		t.AppendRow(table.Row{q.ID, q.Level, q.Title, label, clip(remark, 3*o.Width)})
	}
	if _, err := fmt.Fprintln(w, t.Render()); err != nil {
		return fmt.Errorf("writing table: %w", err)
	}
	if r.Summary.Narrowed {
		_, err := fmt.Fprintln(w, "nothing is said about the conformance of profiles: only some requirements or scenarios are judged here")
		if err != nil {
			return fmt.Errorf("writing table: %w", err)
		}
		return nil
	}
	for _, p := range r.Profiles {
		if p.Core == 0 {
			continue
		}
		verdict := "not conformant"
		switch {
		case p.Conformant:
			verdict = "conformant"
		case p.CoreExecuted == 0 && !r.Summary.Incomplete:
			verdict = "not judged"
		case r.Summary.Incomplete:
			verdict = "not conformant, since the run is incomplete"
		}
		if _, err := fmt.Fprintf(w, "profile %s: %s (%d of %d core requirements passed)\n", p.Name, verdict, p.CorePassed, p.Core); err != nil {
			return fmt.Errorf("writing table: %w", err)
		}
	}
	return nil
}

// NewTable is a table without borders, as kubectl prints them, with the given headings. Nothing in it is coloured.
func NewTable(headings ...string) table.Writer {
	t := table.NewWriter()
	style := table.StyleDefault
	style.Options = table.OptionsNoBordersAndSeparators
	style.Format.Header = text.FormatDefault
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	t.SetStyle(style)
	t.SuppressTrailingSpaces()
	row := make(table.Row, len(headings))
	for i, h := range headings {
		row[i] = h
	}
	t.AppendHeader(row)
	return t
}

// clip shortens a remark to n runes: the report has it whole.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

func colour(q v1alpha1.Requirement) text.Color {
	switch {
	case q.Gating || q.Verdict == suites.Error:
		return text.FgRed
	case q.Verdict == suites.Pass:
		return text.FgGreen
	case q.Verdict == suites.Fail, q.Verdict == suites.Inconclusive:
		return text.FgYellow
	}
	return text.FgHiBlack
}
