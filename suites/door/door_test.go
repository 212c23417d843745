package door

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muster/reports/v1alpha1"
	"muster/suites"
)

func TestClosed(t *testing.T) {
	for _, tt := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"MUSTER_BIN": "bin/muster"}, ""},
		{map[string]string{"KUBECONFIG": "config"}, "later work"},
		{nil, "neither MUSTER_BIN nor KUBECONFIG"},
	} {
		got := Closed(func(k string) string { return tt.env[k] })
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%v: %q, want %q", tt.env, got, tt.want)
		}
	}
}

func TestChosen(t *testing.T) {
	all := []suites.Requirement{
		{ID: "GANG-001", Profile: "gang", Level: suites.Must, Maturity: suites.Beta},
		{ID: "GANG-011", Profile: "gang", Level: suites.May, Maturity: suites.Beta},
		{ID: "FIELD-001", Profile: "gang", Level: suites.Must, Maturity: suites.Provisional},
		{ID: "INV-003", Profile: "invariants", Level: suites.Must, Maturity: suites.Stable},
	}
	for filter, want := range map[string]string{
		"":                  "FIELD-001 GANG-001 GANG-011 INV-003",
		"GANG":              "GANG-001 GANG-011",
		"gang && must":      "GANG-001",
		"Stable":            "INV-003",
		"!MAY && !INV":      "FIELD-001 GANG-001",
		"Alpha":             "",
		"FIELD || (Stable)": "FIELD-001 INV-003",
	} {
		got, err := chosen(all, filter)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q: %v (%v), want %s", filter, got, err, want)
		}
	}
	if _, err := chosen(all, "MUST &&"); err == nil {
		t.Error("a filter that is none was accepted")
	}
}

func TestOutcomes(t *testing.T) {
	report := func(q v1alpha1.Requirement) *v1alpha1.ConformanceReport {
		q.ID = "GANG-001"
		return &v1alpha1.ConformanceReport{Requirements: []v1alpha1.Requirement{q}}
	}
	for name, tt := range map[string]struct {
		q    v1alpha1.Requirement
		want Outcome
	}{
		"pass":             {v1alpha1.Requirement{Level: suites.Must, Verdict: suites.Pass}, Passes},
		"gates":            {v1alpha1.Requirement{Level: suites.Must, Verdict: suites.Fail, Gating: true}, Fails},
		"stale":            {v1alpha1.Requirement{Level: suites.Must, Verdict: suites.Pass, Gating: true}, Fails},
		"known":            {v1alpha1.Requirement{Level: suites.Must, Verdict: suites.Fail, Known: "upstream"}, Remarks},
		"warning":          {v1alpha1.Requirement{Level: suites.Should, Verdict: suites.Fail}, Remarks},
		"error":            {v1alpha1.Requirement{Level: suites.May, Verdict: suites.Error}, Fails},
		"inconclusive":     {v1alpha1.Requirement{Level: suites.Should, Verdict: suites.Inconclusive}, Fails},
		"MAY inconclusive": {v1alpha1.Requirement{Level: suites.May, Verdict: suites.Inconclusive}, Remarks},
		"observed":         {v1alpha1.Requirement{Level: suites.May, Verdict: suites.Observed, Value: "x"}, Remarks},
		"skipped":          {v1alpha1.Requirement{Level: suites.Must, Verdict: suites.Skipped}, Skips},
		"not supported":    {v1alpha1.Requirement{Level: suites.Must, Verdict: suites.NotSupported}, Skips},
	} {
		if got, text := OutcomeOf(report(tt.q), "GANG-001"); got != tt.want || text == "" {
			t.Errorf("%s: %d (%s), want %d", name, got, text, tt.want)
		}
	}
	if got, _ := OutcomeOf(report(v1alpha1.Requirement{}), "GANG-999"); got != Fails {
		t.Error("a requirement the report does not know does not fail")
	}
}

func TestExecute(t *testing.T) {
	script := func(text string) string {
		file := filepath.Join(t.TempDir(), "muster")
		if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
			t.Fatal(err)
		}
		return file
	}
	r, err := Execute(t.Context(), script(`echo '{"requirements":[{"id":"GANG-001","verdict":"Fail"}]}'; exit 1`), nil)
	if err != nil || len(r.Requirements) != 1 {
		t.Errorf("a run with violations: %+v, %v", r, err)
	}
	if _, err := Execute(t.Context(), script("exit 3"), nil); err == nil {
		t.Error("a run without a report is no error")
	}
	if _, err := Execute(t.Context(), "/no/such/binary", nil); err == nil {
		t.Error("a binary that is not there is no error")
	}
	args := strings.Join(Args([]string{"GANG-001", "GANG-002"}, "out", " --seed 7  --parallel 2"), " ")
	if want := "conformance --output json --out out --requirement GANG-001,GANG-002 --seed 7 --parallel 2"; args != want {
		t.Errorf("args %s", args)
	}
}
