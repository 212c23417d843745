package main

import (
	"strings"
	"testing"
	"time"

	"muster/perf/measure"
)

func TestFigures(t *testing.T) {
	r := perfRecord(t, "x", "y", "z")
	r.Runs[2].Result.Validity.Problems = []measure.Problem{{Kind: measure.Gaps, Message: "gaps"}}
	r.Runs[3].Result.Validity.Problems = r.Runs[2].Result.Validity.Problems
	r.Runs = r.Runs[:4] // z did not come to its turn
	lag := 3 * time.Millisecond
	r.Runs[0].Result.Fairness = measure.Fairness{Client: measure.Client{QPS: 5000}, Throttled: &lag}
	text := figures(r).Render()
	for _, want := range []string{"2 of 2", "100 pods/s", "0 of 2", "(200 pods/s)"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "z") {
		t.Errorf("a side without a run is listed:\n%s", text)
	}
	if text := conditions(r).Render(); !strings.Contains(text, "3ms") || !strings.Contains(text, "5000") || !strings.Contains(text, "unknown") {
		t.Errorf("%s", text)
	}
	if lines := remarks(r, false); len(lines) != 2 || !strings.Contains(lines[0], "gangs-of-8, y, run 1: invalid (gaps): gaps") {
		t.Errorf("%q", lines)
	}
}

// What stands in a line is of the same runs: medians, wherever in the order the runs stood.
func TestDetailsAreMedians(t *testing.T) {
	r := perfRecord(t, "x")
	pattern := r.Runs[0]
	r.Runs = nil
	for i, rate := range []float64{30, 10, 900, 20, 40} { // 30 is in the middle, and 900 in the middle of the order
		run, m := pattern, *pattern.Result
		m.Throughput.Rate, m.OfCeiling = rate, rate/1000
		m.Processes = map[string]measure.Process{"scheduler": {CPU: time.Duration(rate) * time.Second, PeakRSS: int64(rate) << 20}}
		m.Gangs.QuorumBound = measure.Distribution{Count: 9, Median: time.Duration(rate) * time.Millisecond, Max: time.Duration(2*rate) * time.Millisecond}
		m.Partial = measure.Partial{Gangs: 1000, InFlightRate: rate / 1000, AtRestRate: rate / 2000, Longest: time.Duration(rate) * time.Second}
		m.Fairness.Achieved = rate
		run.N, run.Result, run.Figure = i+1, &m, r.Scenarios[0].Figure.Of(&m)
		r.Runs = append(r.Runs, run)
	}
	text := figures(r).Render() + conditions(r).Render()
	for _, want := range []string{"30 pods/s", " 30 ", "0.030", "30ms, max 60ms", "  3 %  ", "  1.5 %  ", "  30s  ", "30.0 s", "30 MiB", "30/s"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "900") {
		t.Errorf("the run in the middle of the order is no median:\n%s", text)
	}
}

func TestShort(t *testing.T) {
	for d, want := range map[time.Duration]string{
		12345 * time.Microsecond: "12.3ms", 1234567 * time.Microsecond: "1.23s", 123456 * time.Millisecond: "2m3.5s", 1234: "1µs",
	} {
		if got := short(d); got != want {
			t.Errorf("%v: %s; want %s", d, got, want)
		}
	}
}
