package fold

import (
	"strings"
	"testing"

	"muster/suites"
)

func TestKnownFindings(t *testing.T) {
	must, should := req("GANG-001", suites.Must), req("GANG-002", suites.Should)
	stock := Subject{Scheduler: "kube-scheduler", Version: "v1.37.2"}
	entry := KnownFinding{Scheduler: "kube-scheduler", Version: "v1.37.2", Requirement: "GANG-001", Reason: "upstream issue"}
	byCheck := entry
	byCheck.Check = "StatusTruthful"
	anyVersion := entry
	anyVersion.Version = "*"
	anyScheduler := anyVersion
	anyScheduler.Scheduler = "*"
	other := entry
	other.Version = "v1.38.0"
	shownHere, shownElsewhere := entry, entry
	shownHere.Scenario, shownElsewhere.Scenario = "a", "another"
	onlyHere, onlyElsewhere := shownHere, shownElsewhere
	onlyHere.Only, onlyElsewhere.Only = true, true
	listedShould := entry
	listedShould.Requirement = "GANG-002"
	fail := suites.Failed("GANG-001", "broke")
	tests := []struct {
		name  string
		of    suites.Requirement
		found suites.Finding
		more  []suites.Finding
		known []KnownFinding
		known_,
		stale, gates bool
	}{
		{"listed", must, fail, nil, []KnownFinding{entry}, true, false, false},
		{"listed for every version", must, fail, nil, []KnownFinding{anyVersion}, true, false, false},
		{"listed for every scheduler", must, fail, nil, []KnownFinding{anyScheduler}, true, false, false},
		{"listed for another version", must, fail, nil, []KnownFinding{other}, false, false, true},
		{"not listed", must, fail, nil, nil, false, false, true},
		{"listed for a check, found by the judge", must, fail, nil, []KnownFinding{byCheck}, false, false, true},
		{"one of two violations is not listed", must, fail, []suites.Finding{check("NoCrash", fail)}, []KnownFinding{entry}, false, false, true},
		{"both are listed", must, fail, []suites.Finding{check("StatusTruthful", fail)}, []KnownFinding{entry, byCheck}, true, false, false},
		{"listed and passed", must, suites.Passed("GANG-001", "held"), nil, []KnownFinding{entry}, false, true, true},
		{"listed and passed in the scenario that shows it", must, suites.Passed("GANG-001", "held"), nil, []KnownFinding{shownHere}, false, true, true},
		{"listed and passed, without the scenario that shows it", must, suites.Passed("GANG-001", "held"), nil, []KnownFinding{shownElsewhere}, false, false, false},
		{"listed and failed, without the scenario that shows it", must, fail, nil, []KnownFinding{shownElsewhere}, true, false, false},
		{"listed for this scenario only", must, fail, nil, []KnownFinding{onlyHere}, true, false, false},
		{"listed for another scenario only", must, fail, nil, []KnownFinding{onlyElsewhere}, false, false, true},
		{"listed and inconclusive", must, suites.Unproven("GANG-001", "gap"), nil, []KnownFinding{entry}, false, false, false},
		{"a listed SHOULD", should, suites.Failed("GANG-002", "slow"), nil, []KnownFinding{listedShould}, true, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := ran("a", append([]suites.Finding{tt.found}, tt.more...)...)
			got := Fold([]suites.Requirement{tt.of}, []Scenario{s}, tt.known, stock)[0]
			if (got.Known != "") != tt.known_ || got.Stale != tt.stale || got.Gates() != tt.gates {
				t.Errorf("known %q stale %v gates %v, want %v %v %v", got.Known, got.Stale, got.Gates(), tt.known_, tt.stale, tt.gates)
			}
			c := Count([]Outcome{got})
			if c.Total() != 1 {
				t.Errorf("counted %d times: %+v", c.Total(), c)
			}
			if tt.gates != (c.Failed == 1) || tt.known_ != (c.Known == 1) {
				t.Errorf("counted as %+v", c)
			}
		})
	}
}

func TestParseKnown(t *testing.T) {
	good := "findings:\n- {scheduler: kube-scheduler, version: v1.37.2, requirement: INV-006, check: WorkConserving, reason: a tracker URL}\n"
	got, err := ParseKnown([]byte(good))
	if err != nil || len(got) != 1 || got[0].Check != "WorkConserving" {
		t.Fatalf("got %+v, %v", got, err)
	}
	if got, err := ParseKnown([]byte("findings: []\n")); err != nil || len(got) != 0 {
		t.Errorf("empty list: %+v, %v", got, err)
	}
	for _, bad := range []struct{ name, text, want string }{
		{"no reason", "findings:\n- {scheduler: s, version: '*', requirement: GANG-001}\n", "reason is missing"},
		{"a blank reason", "findings:\n- {scheduler: s, version: '*', requirement: GANG-001, reason: '  '}\n", "reason is missing"},
		{"no version", "findings:\n- {scheduler: s, requirement: GANG-001, reason: r}\n", "version is missing"},
		{"a typing error", "findings:\n- {scheduler: s, versoin: v, requirement: GANG-001, reason: r}\n", "versoin"},
		{"not YAML", "findings: [", "reading known findings"},
	} {
		if _, err := ParseKnown([]byte(bad.text)); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%s: %v, want it to mention %q", bad.name, err, bad.want)
		}
	}
}
