package compose

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"muster/reports/v1alpha1"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/run"
	"muster/suites/run/fold"
	"muster/suites/run/judge"
	"muster/workloads/dialect"
)

func input() Input {
	r := func(id string, level suites.Level) suites.Requirement {
		return suites.Requirement{ID: id, Profile: "gang", Title: id, Text: id, Level: level, Maturity: suites.Beta, Core: level == suites.Must}
	}
	return Input{
		Expected: []suites.Requirement{r("GANG-001", suites.Must), r("GANG-002", suites.Should), r("GANG-003", suites.May)},
		Profiles: []string{"gang"},
		Scenarios: []fold.Scenario{
			{Name: "b", Profile: "gang", Status: fold.Executed, Requirements: []string{"GANG-001", "GANG-003"}, Shard: "main.jsonl", Took: 1234567 * time.Microsecond,
				Findings: []suites.Finding{suites.Passed("GANG-001", "held"), suites.Saw("GANG-003", "x", "seen")}},
			{Name: "a", Profile: "gang", Status: fold.NotRun, Requirements: []string{"GANG-002"}, Reason: "interrupted before its turn"},
		},
		Profile:    history.SchedulerProfile{Name: "mine", SchedulerNames: []string{"mine"}, Dialect: "native"},
		Took:       74 * time.Second,
		Provenance: v1alpha1.Provenance{Muster: v1alpha1.Muster{Version: "v1"}, Host: v1alpha1.Host{OS: "linux", Arch: "amd64", Cores: 2}},
	}
}

func TestReport(t *testing.T) {
	for _, tt := range []struct {
		name       string
		change     func(*Input)
		exit       int
		reason     string
		conformant bool
		incomplete bool
	}{
		{"complete", func(*Input) {}, fold.ExitOK, "", true, false},
		{"narrowed", func(in *Input) { in.Narrowed = true }, fold.ExitOK, "", false, false},
		{"interrupted", func(in *Input) { in.Interrupted = true }, fold.ExitInterrupted, "incomplete", false, true},
		{"the control plane died", func(in *Input) { in.Err = errors.New("etcd ended") }, fold.ExitUndecided, "etcd ended", false, true},
		{"a violation outweighs the death", func(in *Input) {
			in.Err = errors.New("etcd ended")
			in.Scenarios[0].Findings[0].Verdict = suites.Fail
		}, fold.ExitViolations, "GANG-001", false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := input()
			tt.change(&in)
			r := Report(in)
			if r.Summary.ExitCode != tt.exit || !strings.Contains(r.Summary.Reason, tt.reason) {
				t.Errorf("exit %d (%s), want %d (%s)", r.Summary.ExitCode, r.Summary.Reason, tt.exit, tt.reason)
			}
			if r.Profiles[0].Conformant != tt.conformant || r.Summary.Incomplete != tt.incomplete {
				t.Errorf("conformant %v incomplete %v", r.Profiles[0].Conformant, r.Summary.Incomplete)
			}
			data, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			if err := v1alpha1.Validate(data); err != nil {
				t.Error(err)
			}
		})
	}
	r := Report(input())
	if len(r.Expected.IDs) != 3 || strings.Join(r.Executed.IDs, " ") != "GANG-001 GANG-003" || r.Expected.Digest == r.Executed.Digest {
		t.Errorf("expected %+v, executed %+v", r.Expected, r.Executed)
	}
	if r.Scenarios[0].Name != "a" || r.Scenarios[1].Seconds != 1.235 {
		t.Errorf("scenarios %+v", r.Scenarios)
	}
}

func judgeOf(name string) *judge.Judge {
	sc := suites.Scenario{Name: name, Profile: "gang", Requirements: []string{"GANG-001"},
		Judge: func(v *history.View) []suites.Finding {
			return []suites.Finding{suites.Holds(len(v.Pods) == 2, "GANG-001", "two pods")}
		}}
	return &judge.Judge{
		Requirements: []suites.Requirement{
			{ID: "GANG-001", Profile: "gang", Level: suites.Must}, {ID: "GANG-002", Profile: "gang", Level: suites.Must},
			{ID: "INV-001", Profile: "invariants", Level: suites.Must},
		},
		Scenario: func(n string) (suites.Scenario, bool) { return sc, n == name },
		Reader:   func(n string) (history.Dialect, error) { return dialect.Load(n) },
	}
}

func ids(in Input) string {
	var out []string
	for _, r := range in.Expected {
		out = append(out, r.ID)
	}
	return strings.Join(out, " ")
}

func TestStored(t *testing.T) {
	h := historytest.New().Nodes(1).Gang("g", 2).Pods("g", 2).History()
	j := judgeOf(h.Scopes()[0].Scenario)

	in, warnings, err := Stored(j, []*history.History{h})
	if err != nil || len(warnings) > 0 || ids(in) != "GANG-001 INV-001" || !in.Narrowed {
		t.Errorf("without the main header: %s narrowed %v, %v, %v", ids(in), in.Narrowed, warnings, err)
	}

	h.Header.MusterInfo = map[string]string{
		run.InfoExpected: "GANG-001,GANG-002", run.InfoProfiles: "gang", run.InfoNarrowed: "false",
	}
	in, _, err = Stored(j, []*history.History{h})
	if err != nil || ids(in) != "GANG-001 GANG-002" || in.Narrowed || len(in.Profiles) != 1 {
		t.Errorf("with the main header: %s narrowed %v profiles %v, %v", ids(in), in.Narrowed, in.Profiles, err)
	}

	j.Checks = []judge.Check{{Name: "Final", Requirement: "COND-004", Run: func(*history.View) []suites.Finding {
		return []suites.Finding{suites.Failed("COND-004", "not final")}
	}}}
	j.Requirements = append(j.Requirements, suites.Requirement{ID: "COND-004", Profile: "conditions", Level: suites.Must})
	slice := h.Slice(h.Scopes()[0])
	in, _, err = Stored(j, []*history.History{slice})
	if err != nil || ids(in) != "COND-004 GANG-001 INV-001" {
		t.Errorf("a slice: %s, %v", ids(in), err)
	}
	if got := in.Scenarios[0].For("GANG-001"); len(got) != 1 || got[0].Verdict != suites.Pass {
		t.Errorf("a slice gives %v, the whole gave Pass", got)
	}
	if r := Report(in); r.Summary.ExitCode != fold.ExitViolations {
		t.Errorf("a check of another profile fails in the slice: exit %d", r.Summary.ExitCode)
	}
}

func TestStoredRefusesNothing(t *testing.T) {
	if _, _, err := Stored(judgeOf("x"), nil); err == nil {
		t.Error("no history was judged")
	}
}
