package report

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/perf/compare"
	"muster/perf/measure"
	"muster/perf/results"
	"muster/perf/scenario"
	"muster/reports/v1alpha1"
	"muster/reports/write"
	"muster/suites/history"
)

// decided is a record with a gate over n runs a side, b being factor times as fast.
func decided(t *testing.T, n int, factor float64) *results.Record {
	t.Helper()
	r := recorded(t)
	var runs []compare.Run
	for i, slot := range compare.Interleave(n, "a", "b") {
		v := 100 + float64(i%3)
		if slot.Side == "b" {
			v *= factor
		}
		runs = append(runs, compare.Run{Slot: slot, Value: v, Shape: "x"})
	}
	r.Gate = &results.Gate{Scenario: "gangs-of-8", Figure: "throughput", Base: "a", Head: "b", Alpha: 0.01, Loss: 0.1,
		Verdict: compare.Gate(runs, "a", "b", compare.Options{})}
	return r
}

// What a gate decided is in every form a reader may have: the report, and the page for people.
func TestTheVerdictIsInTheReport(t *testing.T) {
	for _, tc := range []struct {
		runs    int
		factor  float64
		outcome compare.Outcome
		heading string
	}{{12, 1, compare.Pass, "## Gate: no regression"}, {12, 0.8, compare.Regression, "## Gate: a regression"}, {2, 1, compare.Undecidable, "## Gate: undecidable"}} {
		rec := decided(t, tc.runs, tc.factor)
		rec.Lines = []string{"gate: as it was printed"}
		r := Of(rec)
		raw, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := v1alpha1.ValidatePerf(raw); err != nil {
			t.Error(err)
		}
		if g := r.Gate; g.Outcome != string(tc.outcome) || g.Reason == "" || (g.Effect != nil) != (tc.runs > 2) || !slices.Equal(r.Summary.Lines, rec.Lines) {
			t.Errorf("%+v; %q", g, r.Summary.Lines)
		}
		var page bytes.Buffer
		if err := write.PerfMarkdown(&page, r); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{tc.heading, rec.Gate.Reason, rec.Lines[0]} {
			if !strings.Contains(page.String(), want) {
				t.Errorf("%s: no %q in\n%s", tc.outcome, want, page.String())
			}
		}
	}
	if Of(recorded(t)).Gate != nil {
		t.Error("a comparison decides something")
	}
}

// A name has one value in all outputs: what a scenario or a gate went by is under the unit it was printed in, and nothing else is.
func TestPrimaryFiguresAreAmongTheValues(t *testing.T) {
	needed, first, last := 3, 500*time.Millisecond, 2*time.Second
	m := &measure.Result{
		Throughput: measure.Throughput{Bound: 500, Rate: 290},
		Processes:  map[string]measure.Process{history.ProcessScheduler: {CPU: 3 * time.Second}},
		Histograms: []measure.Histogram{{Name: "scheduler_scheduling_algorithm_duration_seconds", Count: 100, Mean: time.Millisecond}},
		Gangs: measure.GangLatency{
			QuorumBound: measure.Distribution{Count: 9, Median: time.Second, Max: time.Minute},
			Refused:     measure.Distribution{Count: 9, Median: time.Second, Max: 2 * time.Second},
		},
		Evictions: &measure.Evictions{Made: 4, Needed: &needed, ToFirst: &first, ToLast: &last, Reclaim: measure.Distribution{Count: 9, Median: 3 * time.Second, Max: 7 * time.Second}},
		Capacity:  measure.Capacity{Available: 100, Wanted: 50, Useful: 40, Occupancy: 0.4, OfWanted: 0.8},
		Fit:       &measure.Fit{Score: 0.9},
	}
	count, value := map[string]int{}, map[string]v1alpha1.PerfValue{}
	for _, v := range values(m) {
		count[v.Name]++
		value[v.Name] = v
	}
	for name, n := range count {
		if n != 1 {
			t.Errorf("%s is there %d times", name, n)
		}
	}
	for _, f := range scenario.Figures {
		want := f.Of(m)
		if got, ok := value[want.Unit]; !ok || got.Value != want.Value || got.HigherIsBetter != want.HigherIsBetter || got.Value == 0 {
			t.Errorf("%s is %v %s, and %+v in the report", f, want.Value, want.Unit, got)
		}
	}
	for name, want := range map[string]float64{"reclaim-median-sec": 3, "first-eviction-sec": 0.5, "last-eviction-sec": 2, "verdict-median-sec": 1, "gang-ready-max-sec": 60, "allocation-useful": 0.4} {
		if value[name].Value != want {
			t.Errorf("%s is %v", name, value[name].Value)
		}
	}
}
