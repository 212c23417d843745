package env

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"muster/suites"
	"muster/suites/history"
)

// endpoint serves series, or nothing.
type endpoint map[string]float64

func (e endpoint) Read(_ context.Context, process string, keep func(string) bool) (map[string]float64, error) {
	if e == nil {
		return nil, errors.New("nobody answers for " + process)
	}
	out := map[string]float64{}
	for series, v := range e {
		if name, _, _ := strings.Cut(series, "{"); keep(name) {
			out[series] = v
		}
	}
	return out, nil
}

func measured(j *journal, m Metrics) *Env {
	return New(Options{Scenario: suites.Scenario{Name: "s"}, Scope: history.Scope{Scenario: "s", Namespaces: []string{"ns"}}, Journal: j, Metrics: m})
}

// What was read is part of the record, under its label, and nothing that was not asked for.
func TestMetricsAreRecorded(t *testing.T) {
	j := newJournal()
	e := measured(j, endpoint{`a_total{x="1"}`: 1, "b_sum": 2, "b_count": 3, `b_bucket{le="1"}`: 4, "c": 5, "a_total_more": 6})
	defer e.Close()
	m, err := suites.MetricsOf(e)
	if err != nil {
		t.Fatal(err)
	}
	for label, names := range map[string][]string{"both": {"a_total", "b"}, "nothing": {"nobody_counts_this"}} {
		if err := m.Read(t.Context(), label, suites.Scheduler, names...); err != nil {
			t.Fatal(err)
		}
	}
	if last := j.last(); last.Action.Label != suites.Scheduler || last.Action.Scenario != "s" {
		t.Errorf("recorded: %+v", last.Action)
	}
	v := history.NewView(&history.History{Header: j.header, Events: j.events}, nil, history.Scope{Scenario: "s"})
	got, at, ok := v.Metrics("both")
	if want := map[string]float64{`a_total{x="1"}`: 1, "b_sum": 2, "b_count": 3}; !ok || at.IsZero() || !maps.Equal(got, want) {
		t.Errorf("read %v (%t), want %v", got, ok, want)
	}
	if got, _, ok := v.Metrics("nothing"); !ok || len(got) != 0 {
		t.Errorf("a reading without series: %v, %t", got, ok)
	}
	if _, _, ok := v.Metrics("never"); ok {
		t.Error("a reading that nobody made is found")
	}
}

func TestMetricsThatCannotBeRead(t *testing.T) {
	j := newJournal()
	silent := measured(j, endpoint(nil))
	defer silent.Close()
	m, err := suites.MetricsOf(silent)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Read(t.Context(), "x", suites.ControllerManager, "a"); err == nil || !strings.Contains(err.Error(), suites.ControllerManager) {
		t.Errorf("nobody answers: %v", err)
	}
	if m.Read(t.Context(), "", suites.Scheduler, "a") == nil || m.Read(t.Context(), "x", suites.Scheduler) == nil {
		t.Error("a reading without label, or of nothing, is taken for one")
	}
	none := measured(j, nil)
	defer none.Close()
	if _, err := suites.MetricsOf(none); err == nil || !strings.Contains(err.Error(), suites.ReadSchedulerMetrics) {
		t.Errorf("no way to metrics: %v", err)
	}
	if _, err := suites.MetricsOf(struct{ suites.Env }{}); err == nil {
		t.Error("an Env without metrics has some")
	}
}
