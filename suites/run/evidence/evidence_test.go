package evidence

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/run/fold"
)

func TestWrite(t *testing.T) {
	h := historytest.New().Nodes(1).Gang("g", 2).Pods("g", 2).BindAll("node-0", "g-0").Gone("g-1").History()
	s := fold.Scenario{
		Name: h.Scopes()[0].Scenario, Status: fold.Executed, Requirements: []string{"GANG-001"},
		Findings: []suites.Finding{suites.Failed("GANG-001", "one of two bound").With(history.Stamp{Seq: 7}, "pod test/g-0")},
	}
	dir := t.TempDir()
	if err := Write(dir, h, s, []string{"panic: nil map"}); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string][]string{
		"findings.txt":  {"Fail GANG-001: one of two bound (pod test/g-0) at event 7"},
		"objects.yaml":  {"# pods test/g-0", "# podgroups.scheduling.k8s.io test/g", "# deleted at event"},
		"scheduler.log": {"panic: nil map"},
		"seed":          {"--seed ", " --scenario " + s.Name + "\n"},
	} {
		data, err := os.ReadFile(filepath.Join(dir, s.Name, file))
		if err != nil {
			t.Error(err)
		}
		for _, w := range want {
			if !strings.Contains(string(data), w) {
				t.Errorf("%s lacks %q:\n%s", file, w, data)
			}
		}
	}
	f, err := os.Open(filepath.Join(dir, s.Name, "history.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	back, err := history.Read(f, "slice")
	if err != nil {
		t.Fatal(err)
	}
	if len(back.Scopes()) != 1 {
		t.Errorf("the slice holds %d scenarios", len(back.Scopes()))
	}
	s.Name = "another"
	if err := Write(dir, h, s, nil); err == nil {
		t.Error("evidence of a scenario that is not there")
	}
}

func TestWanted(t *testing.T) {
	for _, tt := range []struct {
		status fold.Status
		found  suites.Verdict
		want   bool
	}{
		{fold.Executed, suites.Pass, false},
		{fold.Executed, suites.Observed, false},
		{fold.Executed, suites.Fail, true},
		{fold.Executed, suites.Inconclusive, true},
		{fold.Broken, "", true},
		{fold.Interrupted, "", true},
		{fold.NotRun, "", false},
		{fold.Unsupported, "", false},
	} {
		s := fold.Scenario{Name: "s", Status: tt.status, Requirements: []string{"GANG-001"}}
		if tt.found != "" {
			s.Findings = []suites.Finding{{Requirement: "GANG-001", Verdict: tt.found}}
		}
		if got := Wanted(s); got != tt.want {
			t.Errorf("%s %s: %v", tt.status, tt.found, got)
		}
	}
}
