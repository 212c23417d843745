package main

import (
	"strings"
	"testing"

	"muster/reports/v1alpha1"
	"muster/suites"
)

func TestCompare(t *testing.T) {
	report := func(tas, plain suites.Verdict) *v1alpha1.ConformanceReport {
		return &v1alpha1.ConformanceReport{Requirements: []v1alpha1.Requirement{
			{ID: "TAS-001", Gates: []string{"TopologyAwareWorkloadScheduling"}, Verdict: tas}, {ID: "GANG-001", Verdict: plain},
		}}
	}
	on := report(suites.Pass, suites.Pass)
	gates := map[string]bool{"TopologyAwareWorkloadScheduling": false, "GenericWorkload": true}
	for _, tt := range []struct {
		name string
		off  *v1alpha1.ConformanceReport
		want string
	}{
		{"as promised", report(suites.NotSupported, suites.Pass), ""},
		{"judged all the same", report(suites.Pass, suites.Pass), "TAS-001 is Pass, want NotSupported"},
		{"another one excused", report(suites.NotSupported, suites.NotSupported), "GANG-001 is NotSupported, want Pass"},
		{"another one fails", report(suites.NotSupported, suites.Fail), "GANG-001 is Fail, want Pass"},
		{"absent", &v1alpha1.ConformanceReport{Requirements: report(suites.NotSupported, suites.Pass).Requirements[:1]}, "GANG-001 is absent"},
	} {
		wrong, gone := Compare(on, tt.off, gates)
		if got := strings.Join(wrong, "; "); !strings.Contains(got, tt.want) || (got == "") != (tt.want == "") || gone != 1 {
			t.Errorf("%s: %q (%d hang on it), want %q", tt.name, got, gone, tt.want)
		}
	}
}
