package kittest

import (
	"testing"

	"muster/suites"
)

func TestGood(t *testing.T) {
	for _, tt := range []struct {
		want Verdicts
		good bool
	}{
		{Verdicts{"A-001": suites.Pass, "A-002": suites.Observed}, true},
		{Verdicts{"A-001": suites.Pass, "A-002": suites.Fail}, false},
		{Verdicts{"A-001": suites.Inconclusive}, false},
	} {
		if got := (Story{Want: tt.want}).Good(); got != tt.good {
			t.Errorf("%v: %t", tt.want, got)
		}
	}
}

// What a judge says is folded to the worst of it, and scenarios of other profiles are none of ours.
func TestJudgeFolds(t *testing.T) {
	if got := Of("no such profile"); len(got) != 0 {
		t.Errorf("%d scenarios", len(got))
	}
	for _, f := range []struct{ a, b, want suites.Verdict }{
		{suites.Pass, suites.Fail, suites.Fail}, {suites.Fail, suites.Pass, suites.Fail}, {suites.Pass, suites.Inconclusive, suites.Inconclusive},
	} {
		got := fold([]suites.Finding{{Requirement: "A-001", Verdict: f.a}, {Requirement: "A-001", Verdict: f.b}})
		if got["A-001"] != f.want {
			t.Errorf("%s and %s: %s", f.a, f.b, got["A-001"])
		}
	}
}
