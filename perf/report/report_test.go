package report

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"muster/perf/measure"
	"muster/perf/results"
	"muster/perf/scenario"
	"muster/reports/v1alpha1"
	"muster/suites/history"
)

// A client limit that nobody knows is no limit of nothing.
func TestUnknownClientLimitsAreAbsent(t *testing.T) {
	r := recorded(t)
	r.Sides[0].Client, r.Sides[1].Client = measure.Client{}, measure.Client{QPS: 50, Burst: 100}
	raw, err := json.Marshal(Of(r).Sides)
	if err != nil {
		t.Fatal(err)
	}
	var sides []map[string]any
	if err := json.Unmarshal(raw, &sides); err != nil {
		t.Fatal(err)
	}
	if _, ok := sides[0]["clientQPS"]; ok || sides[1]["clientQPS"] != 50.0 || sides[1]["clientBurst"] != 100.0 {
		t.Errorf("%s", raw)
	}
}

// recorded is an invocation of A B B A with one invalid run and one that was interrupted.
func recorded(t *testing.T) *results.Record {
	t.Helper()
	s, err := scenario.Named("gangs-of-8")
	if err != nil {
		t.Fatal(err)
	}
	sized, err := s.At(scenario.Size{Nodes: 100, Scale: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	lag := 3 * time.Millisecond
	run := func(side string, n, block, half int, rate float64) results.Run {
		m := &measure.Result{
			Validity:   measure.Validity{Valid: true},
			Throughput: measure.Throughput{Bound: 200, Overall: rate, Rate: rate, InWindow: rate * 1.1, BySecond: []int{0, 100, 100}, Upstream: &measure.Upstream{Average: rate * 1.2}},
			Gangs:      measure.GangLatency{Gangs: 25, Ready: 25, QuorumBound: measure.Distribution{Count: 25, Median: 200 * time.Millisecond, Max: time.Second}},
			Partial:    measure.Partial{Gangs: 25, InFlightRate: 0.4, Longest: 20 * time.Millisecond},
			Processes:  map[string]measure.Process{history.ProcessScheduler: {CPU: 2 * time.Second, Over: 4 * time.Second, PeakRSS: 1 << 20, Samples: 4}},
			API:        &measure.APICalls{Total: 250, PerPod: 1.25},
			Fairness:   measure.Fairness{Client: measure.Client{QPS: 5000, Burst: 10000}, ServerLatency: &lag, WatchLag: measure.Distribution{Count: 9, Median: lag, Max: lag}},
		}
		return results.Run{Scenario: sized.Name, Nodes: 100, Scale: 0.1, Shape: sized.Shape(), Side: side, N: n, Block: block, Half: half,
			Began: time.Unix(1e9, 0), Took: 12 * time.Second, Figure: sized.Figure.Of(m), Result: m, Verdicts: &results.Verdicts{Passed: 9}}
	}
	r := &results.Record{
		Began: time.Unix(1e9, 0), Took: time.Minute, Command: "muster perf compare", Machine: results.Machine{CPUs: 2, CPU: "some CPU", Go: "go1.26"}, Seed: 3,
		Sides:     []results.Side{{Name: "a", Kind: "kube-scheduler"}, {Name: "b", Kind: "reference"}, {Name: "ceiling", Kind: "ceiling", Unjudged: true}},
		Scenarios: []*scenario.Sized{sized}, Planned: 8, Incomplete: true,
		Runs: []results.Run{
			run("a", 1, 0, 0, 100), run("b", 1, 0, 0, 210), run("b", 2, 0, 1, 190), run("a", 2, 0, 1, 90),
			run("b", 3, 1, 0, 220), run("a", 3, 1, 0, 105), run("a", 4, 1, 1, 5000),
			{Scenario: sized.Name, Shape: sized.Shape(), Side: "b", N: 4, Block: 1, Half: 1, Incomplete: true},
		},
	}
	bad := r.Runs[6].Result
	bad.Validity = measure.Validity{Problems: []measure.Problem{{Kind: measure.CreatorBound, Message: "the scheduler kept up with the creator"}}}
	return r
}

func TestReportValidates(t *testing.T) {
	r := Of(recorded(t))
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := v1alpha1.ValidatePerf(raw); err != nil {
		t.Error(err)
	}
}

// What is invalid is listed with its reason, and enters no figure.
func TestInvalidRunsAreListedAndNotCounted(t *testing.T) {
	r := Of(recorded(t))
	s := r.Scenarios[0]
	if len(r.Summary.Lines) != 1 || !strings.HasPrefix(r.Summary.Lines[0], "gangs-of-8 nodes=100 a=100 pods/s b=210 pods/s ceiling=n/a") {
		t.Errorf("%q", r.Summary.Lines)
	}
	if r.Summary.Planned != 8 || r.Summary.Made != 8 || r.Summary.Valid != 6 || !r.Summary.Incomplete {
		t.Errorf("%+v", r.Summary)
	}
	if len(s.Runs) != 8 || s.Runs[6].Valid || s.Runs[6].Problems[0].Kind != string(measure.CreatorBound) || s.Runs[7].Problems[0].Kind != "interrupted" {
		t.Errorf("%+v", s.Runs[6:])
	}
	if len(s.Results) != 2 || *s.Results[0].Median != 100 || s.Results[0].Runs != 4 || s.Results[0].Valid != 3 {
		t.Errorf("%+v", s.Results)
	}
	// The half of block 1 that is whole does not count without the other: two pairs are too few for an interval.
	if len(s.Ratios) != 1 || s.Ratios[0].Pairs != 2 || s.Ratios[0].Low != nil || s.Ratios[0].Ratio != 2.1 {
		t.Errorf("%+v", s.Ratios)
	}
}

func TestRatioOfPairs(t *testing.T) {
	rec := recorded(t)
	rec.Runs[6].Result.Validity = measure.Validity{Valid: true}
	rec.Runs[6].Figure.Value = 110
	last := rec.Runs[5]
	last.Side, last.N, last.Half, last.Figure.Value = "b", 4, 1, 215
	rec.Runs[7] = last
	q := Of(rec).Scenarios[0].Ratios[0]
	if q.Of != "b" || q.To != "a" || q.Pairs != 4 || q.Low == nil || *q.Low >= q.Ratio || *q.High <= q.Ratio || q.Ratio < 2 || q.Ratio > 2.2 {
		t.Errorf("%+v", q)
	}
}

func TestBenchReadsBack(t *testing.T) {
	var b bytes.Buffer
	if err := Bench(&b, Of(recorded(t))); err != nil {
		t.Fatal(err)
	}
	reader, lines := benchfmt.NewReader(&b, "perf.txt"), 0
	for reader.Scan() {
		switch rec := reader.Result().(type) {
		case *benchfmt.Result:
			lines++
			if v, ok := rec.Value("pods/s"); !ok || v > 1000 {
				t.Errorf("%s: %v pods/s", rec.Name, v)
			}
			if v, ok := rec.Value("gang-ready-sec"); !ok || v != 0.2 {
				t.Errorf("%s: ready after %v", rec.Name, v)
			}
		case *benchfmt.SyntaxError:
			t.Error(rec)
		}
	}
	if err := reader.Err(); err != nil || lines != 6 {
		t.Errorf("%d lines (%v), want those of the 6 valid runs", lines, err)
	}
}

func TestWriteAll(t *testing.T) {
	dir := t.TempDir()
	if err := WriteAll(dir, Of(recorded(t))); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, YAMLFile))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v1alpha1.ParsePerf(raw); err != nil {
		t.Error(err)
	}
	for _, f := range []string{BenchFile, DataFile, MarkdownFile} {
		if raw, err := os.ReadFile(filepath.Join(dir, f)); err != nil || !strings.Contains(string(raw), "gangs-of-8") {
			t.Errorf("%s: %v", f, err)
		}
	}
	if err := WriteAll(filepath.Join(dir, "missing"), Of(recorded(t))); err == nil {
		t.Error("a folder that is not there takes a report")
	}
}

// A dozen samples carry no percentile, and a report has none then; zeros that were measured are shown, what was not
// measured is absent.
func TestWhatIsNotMeasuredIsAbsent(t *testing.T) {
	names := map[string]float64{}
	for _, v := range Of(recorded(t)).Scenarios[0].Runs[0].Values {
		names[v.Name] = v.Value
	}
	for _, absent := range []string{"gang-ready-p99-sec", "gang-first-sec", "evictions", "closeness", "of-ceiling", "occupancy", "pods/attempt"} {
		if v, ok := names[absent]; ok {
			t.Errorf("%s is %v, and was not measured", absent, v)
		}
	}
	if v, ok := names["partial-at-rest"]; !ok || v != 0 {
		t.Errorf("a measured zero is %v, %v", v, ok)
	}
}

// One reason is said once, in the words of whoever knows more.
func TestInterruptedIsSaidOnce(t *testing.T) {
	rec := recorded(t)
	rec.Runs[6].Incomplete = true
	rec.Runs[6].Result.Validity = measure.Validity{Problems: []measure.Problem{{Kind: measure.Interrupted, Message: "the run has no end"}}}
	if p := Of(rec).Scenarios[0].Runs[6].Problems; len(p) != 1 || p[0].Message != "the run has no end" {
		t.Errorf("%+v", p)
	}
}
