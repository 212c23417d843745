package write

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"muster/reports/v1alpha1"
	"muster/suites"
)

// oneLine is the greatest length of a reason that has to fit on a line, in characters.
const oneLine = 160

// Unpassed lists, below a table, what was judged and did not pass: the requirement, the scenario that shows it, why,
// and where its evidence lies. failures is the directory with a folder a scenario; empty: there is none. It writes
// nothing unless something gates or could not be decided.
func Unpassed(w io.Writer, r *v1alpha1.ConformanceReport, failures string) error {
	var b strings.Builder
	worth := false
	for _, q := range r.Requirements {
		if !unpassed(q) {
			continue
		}
		worth = worth || q.Known == ""
		fmt.Fprintf(&b, "  %s %s", q.ID, Label(q))
		f, found := deciding(q)
		if found {
			fmt.Fprintf(&b, " in %s", f.Scenario)
		}
		reason := strings.Join(strings.Fields(firstOf(f.Message, q.Reason)), " ")
		if q.Gating && q.Verdict == suites.Pass {
			reason = q.Reason
		}
		fmt.Fprintf(&b, ": %s", clip(reason, oneLine))
		if found && failures != "" && q.Verdict != suites.Pass {
			fmt.Fprintf(&b, " (%s)", filepath.Join(failures, f.Scenario))
		}
		b.WriteByte('\n')
	}
	if !worth {
		return nil
	}
	if _, err := io.WriteString(w, "not passed:\n"+b.String()); err != nil {
		return fmt.Errorf("writing what did not pass: %w", err)
	}
	return nil
}

// unpassed reports whether a requirement was judged and did not pass.
func unpassed(q v1alpha1.Requirement) bool {
	switch q.Verdict {
	case suites.Fail, suites.Error:
		return true
	case suites.Inconclusive:
		return q.Level != suites.May
	}
	return q.Gating
}

// deciding is the first finding that has the requirement's verdict.
func deciding(q v1alpha1.Requirement) (v1alpha1.Finding, bool) {
	for _, f := range q.Findings {
		if f.Verdict == q.Verdict {
			return f, true
		}
	}
	return v1alpha1.Finding{}, false
}
