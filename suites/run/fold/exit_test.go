package fold

import (
	"strings"
	"testing"

	"muster/suites"
)

// A profile that was asked for by name has to come to something; one that is there by default need not.
func TestNoMustWasExecuted(t *testing.T) {
	gang, job := req("GANG-001", suites.Must), req("JOB-001", suites.Must)
	job.Profile = "job"
	off := Scenario{Name: "off", Status: Unsupported, Reason: "gate off", Requirements: []string{"GANG-001"},
		Unsupported: map[string]string{"GANG-001": "gate off"}}
	mixed := ran("mixed", suites.Passed("GANG-001", ""), suites.Passed("JOB-001", ""))
	mixed.Unsupported = map[string]string{"GANG-001": "gate off"}
	tests := []struct {
		name      string
		scenarios []Scenario
		named     []string
		exit      int
		why       string
	}{
		{"by default", []Scenario{off, ran("job", suites.Passed("JOB-001", ""))}, nil, ExitOK, ""},
		{"by name", []Scenario{off, ran("job", suites.Passed("JOB-001", ""))}, []string{"gang", "job"}, ExitUndecided, "profile gang was executed: gate off"},
		{"only the other one by name", []Scenario{off, ran("job", suites.Passed("JOB-001", ""))}, []string{"job"}, ExitOK, ""},
		{"a scenario that ran for another requirement is no execution", []Scenario{mixed}, []string{"gang"}, ExitUndecided, "profile gang"},
		{"nothing at all by default", []Scenario{off}, nil, ExitUndecided, "no MUST was executed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := Fold([]suites.Requirement{gang, job}, tt.scenarios, nil, Subject{})
			if got, why := Exit(out, tt.named, false); got != tt.exit || !strings.Contains(why, tt.why) {
				t.Errorf("exit %d (%s), want %d (%s)", got, why, tt.exit, tt.why)
			}
		})
	}
}
