package write

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"muster/reports/v1alpha1"
	"muster/suites"
)

// Markdown writes the report for people: who was judged and how, the profiles, one table row a requirement (what
// did not pass first), and the findings behind everything that did not pass.
func Markdown(w io.Writer, r *v1alpha1.ConformanceReport) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Conformance of %s\n\n", title(r.Subject))
	fmt.Fprintf(&b, "`%s`\n\n", r.Summary.Line)
	if r.Summary.Incomplete {
		b.WriteString("**This report is incomplete**: the run ended before all scenarios did. Nothing follows from what is absent.\n\n")
	}
	if r.Summary.Reason != "" {
		fmt.Fprintf(&b, "Exit code %d: %s.\n\n", r.Summary.ExitCode, cell(r.Summary.Reason))
	}
	subject(&b, r)
	if r.Summary.Narrowed {
		b.WriteString("Single requirements or scenarios were asked for, so that no profile can be conformant.\n\n")
	}
	b.WriteString("## Profiles\n\n| profile | conformant | core passed | core executed | core |\n|---|---|---:|---:|---:|\n")
	for _, p := range r.Profiles {
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d |\n", p.Name, yesNo(p.Conformant), p.CorePassed, p.CoreExecuted, p.Core)
	}
	b.WriteString("\n## Requirements\n\n| ID | level | maturity | requirement | verdict | |\n|---|---|---|---|---|---|\n")
	for _, q := range unpassedFirst(r.Requirements) {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n",
			q.ID, q.Level, q.Maturity, cell(q.Title), Label(q), cell(Remark(q)))
	}
	behind(&b, r)
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing markdown: %w", err)
	}
	return nil
}

func subject(b *strings.Builder, r *v1alpha1.ConformanceReport) {
	b.WriteString("| | |\n|---|---|\n")
	for _, row := range [][2]string{
		{"scheduler", title(r.Subject)},
		{"organisation", r.Subject.Organization},
		{"project", r.Subject.Project},
		{"URL", r.Subject.URL},
		{"contact", r.Subject.Contact},
		{"dialect", r.Subject.Dialect},
		{"muster", build(r.Provenance.Muster)},
		{"Kubernetes", firstOf(r.Provenance.Versions["kube-apiserver"], r.Provenance.Muster.Version)},
		{"started", r.Provenance.Started.UTC().Format("2006-01-02 15:04:05 UTC")},
		{"seed", fmt.Sprint(r.Provenance.Seed)},
		{"host", fmt.Sprintf("%s/%s, %d cores", r.Provenance.Host.OS, r.Provenance.Host.Arch, r.Provenance.Host.Cores)},
		{"asked", r.Expected.Digest},
		{"executed", r.Executed.Digest},
	} {
		if row[1] != "" {
			fmt.Fprintf(b, "| %s | %s |\n", row[0], cell(row[1]))
		}
	}
	b.WriteByte('\n')
}

// behind writes the findings of everything that neither passed nor was merely not asked.
func behind(b *strings.Builder, r *v1alpha1.ConformanceReport) {
	heading := "\n## Behind the verdicts\n"
	for _, q := range r.Requirements {
		switch q.Verdict {
		case suites.Fail, suites.Error, suites.Inconclusive:
		default:
			if !q.Gating {
				continue
			}
		}
		b.WriteString(heading)
		heading = ""
		fmt.Fprintf(b, "\n### %s %s: %s\n\n%s\n\n", q.ID, q.Title, Label(q), q.Text)
		if q.Known != "" {
			fmt.Fprintf(b, "Known: %s\n\n", q.Known)
		}
		for _, line := range strings.Split(strings.TrimSpace(details(q)), "\n") {
			fmt.Fprintf(b, "- %s\n", line)
		}
	}
}

// unpassedFirst are the requirements with those first that did not pass, then those about which nothing was found out,
// each in their order.
func unpassedFirst(all []v1alpha1.Requirement) []v1alpha1.Requirement {
	rank := func(q v1alpha1.Requirement) int {
		switch {
		case unpassed(q):
			return 0
		case q.Verdict == suites.Pass, q.Verdict == suites.Observed:
			return 2
		}
		return 1
	}
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b v1alpha1.Requirement) int { return cmp.Compare(rank(a), rank(b)) })
	return out
}

// build names the muster that judged by its revision. Its version is that of the Kubernetes it is built with, which
// stands on a line of its own.
func build(m v1alpha1.Muster) string {
	name := "revision " + firstOf(m.Revision, "unknown")
	if m.Modified {
		name += ", with local changes"
	}
	return name
}

func title(s v1alpha1.Subject) string { return strings.TrimSpace(s.Scheduler + " " + s.Version) }

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// cell makes a text fit for a table cell.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(s)
}

// Label is the verdict as tables show it: the verdict, and what it means where the level or the list of known findings
// changes that.
func Label(q v1alpha1.Requirement) string {
	switch {
	case q.Gating && q.Verdict == suites.Pass:
		return "Pass (stale)"
	case q.Known != "":
		return "Fail (known)"
	case q.Verdict == suites.Fail && q.Level == suites.Should:
		return "Fail (warning)"
	}
	return string(q.Verdict)
}

// Remark is what a table says beside the verdict: how many of its scenarios were asked for (where not
// all were), then the value of a MAY or why it did not pass, then why that is known.
func Remark(q v1alpha1.Requirement) string {
	remark := firstOf(q.Value, q.Reason)
	if q.Verdict == suites.Pass && !q.Gating {
		remark = ""
	}
	if q.Known != "" {
		remark = strings.TrimSpace(fmt.Sprintf("%s (known: %s)", remark, q.Known))
	}
	if q.Share != "" {
		remark = strings.TrimSuffix(q.Share+"; "+remark, "; ")
	}
	return remark
}
