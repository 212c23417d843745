package results

import (
	"slices"
	"testing"

	"muster/perf/measure"
)

func TestProblems(t *testing.T) {
	valid := &measure.Result{Validity: measure.Validity{Valid: true, Labels: []measure.Problem{{Kind: measure.APIBound, Message: "a label"}}}}
	gaps := &measure.Result{Validity: measure.Validity{Problems: []measure.Problem{{Kind: measure.Gaps, Message: "gaps"}}}}
	for _, tc := range []struct {
		run  Run
		want []string
	}{
		{Run{Result: valid}, nil},
		{Run{Result: gaps}, []string{"gaps"}},
		{Run{}, []string{"nothing was measured"}},
		{Run{Error: "it fell over"}, []string{"it fell over"}},
		{Run{Error: "it fell over", Incomplete: true, Result: gaps}, []string{"it fell over", "the run was interrupted", "gaps"}},
		{Run{Incomplete: true, Result: valid}, []string{"the run was interrupted"}},
	} {
		if got := tc.run.Problems(); !slices.Equal(got, tc.want) || tc.run.Valid() != (len(tc.want) == 0) {
			t.Errorf("%+v: %q, valid %v; want %q", tc.run, got, tc.run.Valid(), tc.want)
		}
	}
}

func TestOf(t *testing.T) {
	r := Record{Runs: []Run{{Shape: "s", Side: "a", N: 1}, {Shape: "s", Side: "b", N: 1}, {Shape: "s", Side: "a", N: 2}, {Shape: "t", Side: "a", N: 1}}}
	got := r.Of("s", "a")
	if len(got) != 2 || got[0] != &r.Runs[0] || got[1] != &r.Runs[2] {
		t.Errorf("%+v", got)
	}
}
