package main

import (
	"bytes"
	"strings"
	"testing"
)

// Without a verb of its own there is nothing to do, which a script has to notice; it is told what there is.
func TestReportWithoutAVerb(t *testing.T) {
	for _, args := range [][]string{{"report"}, {"report", "rendre"}} {
		root := newRootCommand()
		var out bytes.Buffer
		root.SetOut(&out)
		root.SetErr(&out)
		root.SetArgs(args)
		err := root.ExecuteContext(t.Context())
		if codeOf(err) != exitUsage || !strings.Contains(err.Error(), "render") {
			t.Errorf("%v: %v (exit code %d); want 2 and one that says render", args, err, codeOf(err))
		}
		if out.Len() > 0 {
			t.Errorf("%v writes %q, which scripts would read", args, out.String())
		}
	}
}
