package fold

import (
	"strings"
	"testing"
	"time"

	"muster/suites"
)

func req(id string, level suites.Level) suites.Requirement {
	return suites.Requirement{ID: id, Profile: "gang", Level: level, Core: level == suites.Must}
}

func ran(name string, findings ...suites.Finding) Scenario {
	s := Scenario{Name: name, Status: Executed, Findings: findings}
	for _, f := range findings {
		if f.Check == "" {
			s.Requirements = append(s.Requirements, f.Requirement)
		}
	}
	return s
}

func check(name string, f suites.Finding) suites.Finding {
	f.Check = name
	return f
}

func TestFold(t *testing.T) {
	must, should, may, inv := req("GANG-001", suites.Must), req("GANG-002", suites.Should), req("GANG-003", suites.May), req("INV-001", suites.Must)
	pass := suites.Passed("GANG-001", "held")
	fail := suites.Failed("GANG-001", "broke")
	unproven := suites.Unproven("GANG-001", "no premise")
	tests := []struct {
		name      string
		of        suites.Requirement
		scenarios []Scenario
		want      suites.Verdict
		reason    string // contained in the reason
		executed  bool
	}{
		{"one pass", must, []Scenario{ran("a", pass)}, suites.Pass, "held", true},
		{"every scenario must pass", must, []Scenario{ran("a", pass), ran("b", fail)}, suites.Fail, "broke", true},
		{"a fail outweighs an error", must, []Scenario{
			ran("a", fail), {Name: "b", Status: Broken, Requirements: []string{"GANG-001"}, Reason: "no API"},
		}, suites.Fail, "broke", true},
		{"an error outweighs an inconclusive", must, []Scenario{
			ran("a", unproven), {Name: "b", Status: Broken, Requirements: []string{"GANG-001"}, Reason: "no API"},
		}, suites.Error, "no API", true},
		{"inconclusive outweighs pass", must, []Scenario{ran("a", pass), ran("b", unproven)}, suites.Inconclusive, "no premise", true},
		{"a scenario that was not run keeps it from passing", must, []Scenario{
			ran("a", pass), {Name: "b", Status: NotRun, Requirements: []string{"GANG-001"}, Reason: "no time left"},
		}, suites.Skipped, "no time left", true},
		{"a scenario that was not asked for has no share", must, []Scenario{
			ran("a", pass), {Name: "b", Status: Filtered, Requirements: []string{"GANG-001"}, Reason: NotAsked},
		}, suites.Pass, "held", true},
		{"a record without scenarios", inv, nil, suites.Skipped, "no scenario that this muster judges", false},
		{"scenarios that have nothing to say about it", inv, []Scenario{ran("a", pass)}, suites.Skipped, "no scenario that was run exercised it", false},
		{"no scenario of it was asked for", must, []Scenario{
			{Name: "b", Status: Filtered, Requirements: []string{"GANG-001"}, Reason: NotAsked},
		}, suites.Skipped, NotAsked, false},
		{"not supported", must, []Scenario{
			{Name: "b", Status: Unsupported, Requirements: []string{"GANG-001"}, Reason: "cannot restart"},
		}, suites.NotSupported, "cannot restart", false},
		{"several findings in one scenario", must, []Scenario{ran("a", pass, fail)}, suites.Fail, "broke", true},
		{"silence is inconclusive", must, []Scenario{{Name: "a", Status: Executed, Requirements: []string{"GANG-001"}}},
			suites.Inconclusive, "returned no finding", true},
		{"speaking out of turn is an error", must, []Scenario{
			{Name: "a", Status: Executed, Requirements: []string{"GANG-002"}, Findings: []suites.Finding{pass}},
		}, suites.Error, "does not name", true},
		{"an unknown verdict is an error", must, []Scenario{ran("a", suites.Finding{Requirement: "GANG-001", Verdict: "Fine"})},
			suites.Error, "unknown verdict", true},
		{"a broken scenario's own findings do not count", must, []Scenario{
			{Name: "a", Status: Broken, Reason: "panicked", Requirements: []string{"GANG-001"}, Findings: []suites.Finding{fail}},
		}, suites.Error, "panicked", false},
		{"an interrupted scenario is inconclusive", must, []Scenario{
			{Name: "a", Status: Interrupted, Reason: "cut short", Requirements: []string{"GANG-001"}, Findings: []suites.Finding{pass}},
		}, suites.Inconclusive, "cut short", false},
		{"nobody exercised it", must, nil, suites.Skipped, "no scenario", false},
		{"a gate that is off", must, []Scenario{{
			Name: "a", Status: Executed, Requirements: []string{"GANG-001"}, Findings: []suites.Finding{fail},
			Unsupported: map[string]string{"GANG-001": "gate off"},
		}}, suites.NotSupported, "gate off", false},
		{"a SHOULD fails like a MUST", should, []Scenario{ran("a", suites.Failed("GANG-002", "slow"))}, suites.Fail, "slow", true},
		{"a SHOULD is not observed", should, []Scenario{ran("a", suites.Saw("GANG-002", "1", "seen"))}, suites.Error, "cannot be Observed", true},
		{"a MAY is observed", may, []Scenario{ran("a", suites.Saw("GANG-003", "back-off", "seen"))}, suites.Observed, "seen", true},
		{"a MAY is never passed", may, []Scenario{ran("a", suites.Passed("GANG-003", "held"))}, suites.Error, "a MAY cannot be Pass", true},
		{"an invariant is worst over those that exercised it", inv, []Scenario{
			ran("a", pass, check("NoPartialAtRest", suites.Passed("INV-001", "2 gangs"))),
			ran("b", pass),
			ran("c", pass, check("NoPartialAtRest", suites.Failed("INV-001", "partial"))),
		}, suites.Fail, "partial", true},
		{"an invariant nobody exercised", inv, []Scenario{ran("a", pass)}, suites.Skipped, "no scenario", false},
		{"a violation in a scenario that broke still counts", inv, []Scenario{{
			Name: "a", Status: Broken, Reason: "no API", Requirements: []string{"GANG-001"},
			Findings: []suites.Finding{check("NoPartialAtRest", suites.Failed("INV-001", "partial"))},
		}}, suites.Fail, "partial", false},
		{"a pass of a check in a scenario that broke does not", inv, []Scenario{{
			Name: "a", Status: Broken, Reason: "no API", Requirements: []string{"GANG-001"},
			Findings: []suites.Finding{check("NoPartialAtRest", suites.Passed("INV-001", "fine"))},
		}}, suites.Skipped, "no scenario", false},
		{"an invariant whose gate is off", inv, []Scenario{{
			Name: "a", Status: Executed, Unsupported: map[string]string{"INV-001": "gate off"},
			Findings: []suites.Finding{check("NoPartialAtRest", suites.Failed("INV-001", "partial"))},
		}}, suites.NotSupported, "gate off", false},
		{"an invariant whose gate is off and which nothing exercised", inv, []Scenario{{
			Name: "a", Status: Executed, Unsupported: map[string]string{"INV-001": "gate off"},
		}, {Name: "b", Status: Unsupported, Unsupported: map[string]string{"INV-001": "gate off"}}}, suites.NotSupported, "gate off", false},
		{"an invariant whose gate is off in a cluster of a scenario's own", inv, []Scenario{{
			Name: "a", Status: Executed, Unsupported: map[string]string{"INV-001": "gate off"},
			Findings: []suites.Finding{check("NoPartialAtRest", suites.Failed("INV-001", "partial"))},
		}, ran("b", check("NoPartialAtRest", suites.Passed("INV-001", "held")))}, suites.Pass, "held", true},
		{"and which nothing exercised elsewhere", inv, []Scenario{{
			Name: "a", Status: Executed, Unsupported: map[string]string{"INV-001": "gate off"},
		}, ran("b")}, suites.Skipped, "exercised it", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Fold([]suites.Requirement{tt.of}, tt.scenarios, nil, Subject{})[0]
			if got.Verdict != tt.want {
				t.Errorf("verdict %s, want %s (%+v)", got.Verdict, tt.want, got.Findings)
			}
			if !strings.Contains(got.Reason, tt.reason) {
				t.Errorf("reason %q, want it to contain %q", got.Reason, tt.reason)
			}
			if got.Executed != tt.executed {
				t.Errorf("executed %v, want %v", got.Executed, tt.executed)
			}
		})
	}
}

func TestObservedValuesAreListedOnce(t *testing.T) {
	scenarios := []Scenario{
		ran("a", suites.Saw("GANG-003", "event-driven", "")),
		ran("b", suites.Saw("GANG-003", "back-off", "")),
		ran("c", suites.Saw("GANG-003", "event-driven", "")),
	}
	got := Fold([]suites.Requirement{req("GANG-003", suites.May)}, scenarios, nil, Subject{})[0]
	if got.Value != "event-driven; back-off" {
		t.Errorf("value %q", got.Value)
	}
}

func TestCountsLine(t *testing.T) {
	c := Counts{Passed: 31, Known: 1, Warnings: 1, NotSupported: 2, Observed: 4}
	want := "conformance: 31 passed, 0 failed, 1 known, 1 warnings, 0 inconclusive, 0 errors, " +
		"2 not supported, 0 skipped, 4 observed (39 requirements, 74 s)"
	if got := c.Line(73600 * time.Millisecond); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestProfilesAndExit(t *testing.T) {
	core, extra := req("GANG-001", suites.Must), req("GANG-002", suites.Must)
	extra.Core = false
	may := req("GANG-003", suites.May)
	tests := []struct {
		name        string
		scenarios   []Scenario
		interrupted bool
		conformant  bool
		exit        int
	}{
		{"all pass", []Scenario{ran("a", suites.Passed("GANG-001", ""), suites.Passed("GANG-002", ""), suites.Saw("GANG-003", "x", ""))}, false, true, ExitOK},
		{"a MUST outside the core fails", []Scenario{ran("a", suites.Passed("GANG-001", ""), suites.Failed("GANG-002", ""), suites.Saw("GANG-003", "x", ""))}, false, true, ExitViolations},
		{"a core MUST is inconclusive", []Scenario{ran("a", suites.Unproven("GANG-001", ""), suites.Passed("GANG-002", ""))}, false, false, ExitUndecided},
		{"a MAY that could not be observed decides nothing", []Scenario{ran("a", suites.Passed("GANG-001", ""), suites.Passed("GANG-002", ""), suites.Unproven("GANG-003", ""))}, false, true, ExitOK},
		{"a fail outweighs an error in the exit code", []Scenario{ran("a", suites.Failed("GANG-001", "")), {Name: "b", Status: Broken, Requirements: []string{"GANG-002"}}}, false, false, ExitViolations},
		{"interrupted outweighs all", []Scenario{ran("a", suites.Failed("GANG-001", ""))}, true, false, ExitInterrupted},
		{"no MUST was executed", nil, false, false, ExitUndecided},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := Fold([]suites.Requirement{core, extra, may}, tt.scenarios, nil, Subject{})
			if got := Profiles(out, true)[0]; got.Conformant != tt.conformant {
				t.Errorf("conformant %v, want %v", got.Conformant, tt.conformant)
			}
			if Profiles(out, false)[0].Conformant {
				t.Error("a narrowed run is conformant")
			}
			if got, why := Exit(out, []string{"gang"}, tt.interrupted); got != tt.exit {
				t.Errorf("exit %d (%s), want %d", got, why, tt.exit)
			}
		})
	}
}
