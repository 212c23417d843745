package main

import (
	"slices"
	"strings"
	"testing"

	"muster/suites"
	"muster/suites/check"
)

// What make verify refuses, by name.
func TestDocumentRefuses(t *testing.T) {
	all := suites.Scenarios()
	without := func(id string) []suites.Scenario {
		return slices.DeleteFunc(slices.Clone(all), func(s suites.Scenario) bool { return slices.Contains(s.Requirements, id) })
	}
	checks := check.All()
	for _, tt := range []struct {
		name      string
		scenarios []suites.Scenario
		checks    []check.Check
		want      string
	}{
		{"nothing", all, checks, ""},
		{"an invariant without a check", all, slices.DeleteFunc(slices.Clone(checks), func(c check.Check) bool {
			return c.ID == "INV-003"
		}), "INV-003 (NoOvercommit): no check judges it"},
		{"a check of an unknown requirement", all, append(slices.Clone(checks), check.Check{ID: "INV-999", Name: "NoDreams"}),
			"check NoDreams: requirement INV-999 is not in the catalogue"},
		{"a requirement without a scenario", without("COND-005"), checks, "COND-005 (Generation and transition time): no scenario exercises it"},
		{"a scenario of an unknown requirement", append(slices.Clone(all), suites.Scenario{
			Name: "dream", Profile: "gang", Requirements: []string{"GANG-999"},
		}), checks, "scenario dream: requirement GANG-999 is not in the catalogue"},
	} {
		text, err := document(tt.scenarios, tt.checks)
		switch {
		case tt.want == "" && (err != nil || !strings.HasPrefix(text, "# Requirements")):
			t.Errorf("%s: %v", tt.name, err)
		case tt.want != "" && (err == nil || text != "" || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
