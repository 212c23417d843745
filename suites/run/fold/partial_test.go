package fold

import (
	"testing"

	"muster/suites"
)

// A verdict without the scenarios that were not asked for stands, says so, and makes no profile conformant.
func TestPartialVerdicts(t *testing.T) {
	must := []suites.Requirement{req("GANG-001", suites.Must)}
	pass := ran("a", suites.Passed("GANG-001", "held"))
	rest := Scenario{Name: "b", Status: Filtered, Requirements: []string{"GANG-001"}, Reason: NotAsked}
	other := Scenario{Name: "c", Status: Filtered, Requirements: []string{"GANG-002"}, Reason: NotAsked}

	part := Fold(must, []Scenario{pass, rest, other}, nil, Subject{})
	if o := part[0]; o.Verdict != suites.Pass || !o.Partial() || o.Asked != 1 || o.Of != 2 {
		t.Errorf("%s, %d of %d", o.Verdict, o.Asked, o.Of)
	}
	if p := Profiles(part, true)[0]; p.Conformant || p.CorePassed != 0 || p.CoreExecuted != 1 {
		t.Errorf("profile %+v", p)
	}
	whole := Fold(must, []Scenario{pass, other}, nil, Subject{})
	if whole[0].Partial() || !Profiles(whole, true)[0].Conformant {
		t.Errorf("whole: %+v", whole[0])
	}
	known := []KnownFinding{{Scheduler: "x", Version: "*", Requirement: "GANG-001", Reason: "r"}}
	if o := Fold(must, []Scenario{pass, rest}, known, Subject{Scheduler: "x"})[0]; o.Stale {
		t.Error("a partial pass makes an entry stale that another scenario may still confirm")
	}
	failed := Fold(must, []Scenario{ran("a", suites.Failed("GANG-001", "broke")), rest}, nil, Subject{})
	if code, why := Exit(failed, nil, false); code != ExitViolations || why != "GANG-001 gates" {
		t.Errorf("exit %d: %s", code, why)
	}
}

func TestExitNamesEverythingThatGates(t *testing.T) {
	reqs := []suites.Requirement{req("GANG-001", suites.Must), req("GANG-002", suites.Must)}
	out := Fold(reqs, []Scenario{ran("a", suites.Failed("GANG-001", ""), suites.Failed("GANG-002", ""))}, nil, Subject{})
	if _, why := Exit(out, nil, false); why != "2 requirements gate: GANG-001, GANG-002" {
		t.Errorf("%q", why)
	}
}
