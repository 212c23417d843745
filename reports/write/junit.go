package write

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"muster/reports/v1alpha1"
	"muster/suites"
)

// The subset of JUnit XML that CI systems agree on: suites, cases, failure, error, skipped, system-out.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	ClassName string        `xml:"classname,attr"`
	Failure   *junitProblem `xml:"failure,omitempty"`
	Error     *junitProblem `xml:"error,omitempty"`
	Skipped   *junitProblem `xml:"skipped,omitempty"`
	Output    string        `xml:"system-out,omitempty"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// JUnit writes a test suite a profile and a test case a requirement. Only what gates is a failure: a failed SHOULD, a
// known failure and an observation are passed cases whose output says so, since CI systems know no warnings.
// Inconclusive and Error are errors.
func JUnit(w io.Writer, r *v1alpha1.ConformanceReport) error {
	out := junitSuites{Name: "muster conformance: " + r.Subject.Scheduler, Time: fmt.Sprintf("%.1f", r.Provenance.Seconds)}
	for _, p := range r.Profiles {
		s := junitSuite{Name: p.Name}
		for _, q := range r.Requirements {
			if q.Profile == p.Name {
				s.add(q)
			}
		}
		out.Tests += s.Tests
		out.Failures += s.Failures
		out.Errors += s.Errors
		out.Skipped += s.Skipped
		out.Suites = append(out.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("writing junit: %w", err)
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(out); err != nil {
		return fmt.Errorf("writing junit: %w", err)
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return fmt.Errorf("writing junit: %w", err)
	}
	return nil
}

func (s *junitSuite) add(q v1alpha1.Requirement) {
	c := junitCase{Name: printable(q.ID + " " + q.Title), ClassName: "muster." + q.Profile}
	problem := &junitProblem{
		Message: printable(q.Reason),
		Type:    fmt.Sprintf("%s %s", q.Level, q.Verdict),
		Text:    printable(details(q)),
	}
	switch {
	case q.Gating:
		c.Failure = problem
		s.Failures++
	case q.Verdict == suites.Error || (q.Verdict == suites.Inconclusive && q.Level != suites.May):
		c.Error = problem
		s.Errors++
	case q.Verdict == suites.NotSupported || q.Verdict == suites.Skipped:
		problem.Text = ""
		c.Skipped = problem
		s.Skipped++
	case q.Verdict != suites.Pass:
		c.Output = printable(fmt.Sprintf("%s %s: %s\n%s", q.Level, q.Verdict, firstOf(q.Value, q.Known, q.Reason), details(q)))
	}
	s.Tests++
	s.Cases = append(s.Cases, c)
}

// details are the findings, one a line.
func details(q v1alpha1.Requirement) string {
	var b strings.Builder
	for _, f := range q.Findings {
		who := f.Scenario
		if f.Check != "" {
			who += "/" + f.Check
		}
		fmt.Fprintf(&b, "%s [%s] %s", f.Verdict, who, firstOf(f.Message, f.Value))
		if len(f.Objects) > 0 {
			fmt.Fprintf(&b, " (%s)", strings.Join(f.Objects, ", "))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func firstOf(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// printable drops what XML 1.0 cannot carry, so that a control character in a log line cannot spoil the file.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || (r < 0x20 && r != '\n' && r != '\t') || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, s)
}
