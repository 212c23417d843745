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
	crash := func(r *v1alpha1.ConformanceReport, v suites.Verdict) *v1alpha1.ConformanceReport {
		r.Requirements = append(r.Requirements, v1alpha1.Requirement{ID: "INV-008", Verdict: v})
		return r
	}
	on := crash(report(suites.Pass, suites.Pass), suites.Pass)
	gates := map[string]bool{"TopologyAwareWorkloadScheduling": false, "GenericWorkload": true}
	for _, tt := range []struct {
		name string
		off  *v1alpha1.ConformanceReport
		want string
	}{
		{"as promised", crash(report(suites.NotSupported, suites.Pass), suites.Pass), ""},
		{"judged all the same", crash(report(suites.Pass, suites.Pass), suites.Pass), "TAS-001 is Pass, want NotSupported"},
		{"another one excused", crash(report(suites.NotSupported, suites.NotSupported), suites.Pass), "GANG-001 is NotSupported, want Pass"},
		{"another one fails", crash(report(suites.NotSupported, suites.Fail), suites.Pass), "GANG-001 is Fail, want Pass"},
		{"absent", &v1alpha1.ConformanceReport{Requirements: report(suites.NotSupported, suites.Pass).Requirements[:1]}, "GANG-001 is absent"},
		{"an invariant of which nothing is left that exercises it", crash(report(suites.NotSupported, suites.Pass), suites.Skipped), ""},
		{"an invariant that is broken", crash(report(suites.NotSupported, suites.Pass), suites.Fail), "INV-008 is Fail, want Pass"},
	} {
		wrong, gone := Compare(on, tt.off, gates)
		if got := strings.Join(wrong, "; "); !strings.Contains(got, tt.want) || (got == "") != (tt.want == "") || gone != 1 {
			t.Errorf("%s: %q (%d hang on it), want %q", tt.name, got, gone, tt.want)
		}
	}
}
