package main

import (
	"slices"
	"strings"
	"testing"

	"muster/suites"
)

// What make verify refuses, by name.
func TestDocumentRefuses(t *testing.T) {
	all := suites.Scenarios()
	without := func(id string) []suites.Scenario {
		return slices.DeleteFunc(slices.Clone(all), func(s suites.Scenario) bool { return slices.Contains(s.Requirements, id) })
	}
	for _, tt := range []struct {
		name      string
		scenarios []suites.Scenario
		want      string
	}{
		{"nothing", all, ""},
		{"a requirement without a scenario", without("COND-005"), "COND-005 (Generation and transition time): no scenario exercises it"},
		{"a scenario of an unknown requirement", append(slices.Clone(all), suites.Scenario{
			Name: "dream", Profile: "gang", Requirements: []string{"GANG-999"},
		}), "scenario dream: requirement GANG-999 is not in the catalogue"},
	} {
		text, err := document(tt.scenarios)
		switch {
		case tt.want == "" && (err != nil || !strings.HasPrefix(text, "# Requirements")):
			t.Errorf("%s: %v", tt.name, err)
		case tt.want != "" && (err == nil || text != "" || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
