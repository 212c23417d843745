package conduct

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/run/compose"
)

// A record without scenarios is held against the invariants, and a fault in it is found.
func TestRecordsAreJudgedAsAWhole(t *testing.T) {
	for _, tt := range []struct {
		name    string
		partial bool
		want    suites.Verdict
	}{{"good", false, suites.Pass}, {"a gang in part", true, suites.Fail}} {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "record.jsonl")
			writeTape(t, file, 4_000, tt.partial)
			report, warnings, err := Stored([]string{file}, nil)
			if err != nil || len(warnings) > 0 {
				t.Fatal(err, warnings)
			}
			for _, r := range report.Requirements {
				if r.ID == "INV-001" && r.Verdict != tt.want {
					t.Errorf("%s: %s: %s", r.ID, r.Verdict, r.Reason)
				}
				if !tt.partial && r.Verdict == suites.Fail {
					t.Errorf("%s: %s: %s", r.ID, r.Verdict, r.Reason)
				}
			}
		})
	}
}

// A record gives the same verdicts whether its events are kept or not, and two recorders of one cluster that saw the
// same give them too.
func TestRecordsReadEitherWay(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one.jsonl"), filepath.Join(dir, "two.jsonl")
	writeTape(t, one, 1_500, true)
	writeTape(t, two, 1_500, true)
	catalogue, err := Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := ReadHistory(one)
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := compose.Stored(Judge(catalogue), []*history.History{kept})
	if err != nil {
		t.Fatal(err)
	}
	for name, files := range map[string][]string{"not kept": {one}, "two recorders": {one, two}} {
		got, _, _, err := composed(catalogue, files)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Scenarios) != 1 || got.Scenarios[0].Verdict() != want.Scenarios[0].Verdict() || got.Took != want.Took {
			t.Fatalf("%s: %d scenarios, %s", name, len(got.Scenarios), got.Took)
		}
		if a, b := verdicts(want.Scenarios[0].Findings), verdicts(got.Scenarios[0].Findings); a != b {
			t.Errorf("%s: %s\nwant %s", name, b, a)
		}
	}
	other := filepath.Join(dir, "other.jsonl")
	data, err := os.ReadFile(one)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, []byte(strings.Replace(string(data), `"name":"s"`, `"name":"another"`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := composed(catalogue, []string{one, other}); err == nil || !strings.Contains(err.Error(), "scheduler") {
		t.Errorf("records of different schedulers were put together: %v", err)
	}
}

func verdicts(findings []suites.Finding) string {
	var out []string
	for _, f := range findings {
		out = append(out, f.Requirement+" "+string(f.Verdict)+" "+f.Message)
	}
	return strings.Join(out, "\n")
}
