package runner

import (
	"errors"
	"strings"
	"testing"

	"muster/fakes/undertest"
	"muster/perf/scenario"
)

func TestAnswers(t *testing.T) {
	command := Side{Name: "mine", Scheduling: undertest.Options{Exec: "./mine"}}
	served := command
	served.Scheduling.Profile.Metrics = "http://127.0.0.1:1/metrics"
	for _, tc := range []struct {
		side   Side
		name   string
		figure scenario.Figure
		says   string // empty: it has an answer
	}{
		{side(undertest.Ceiling), "singles", "", ""},
		{side(undertest.Ceiling), "reclaim", "", "evicts nobody"},
		{side(undertest.Ceiling), "infeasible-gang", "", "tells nobody"},
		// Whatever is looked at, it would wait for ever.
		{side(undertest.Ceiling), "reclaim", scenario.SchedulerCPU, "evicts nobody"},
		{side(undertest.Ceiling), "preemption-100", scenario.Throughput, "evicts nobody"},
		{side(undertest.Ceiling), "singles", scenario.SchedulerCPU, ""},
		{side(undertest.Ceiling), "singles", scenario.Solve, "it has none"},
		{side(undertest.Reference), "reclaim", scenario.Solve, ""},
		{side(undertest.MutantPrefix + "slowed-by-50"), "singles", scenario.Solve, ""},
		{side(undertest.Reference), "singles", scenario.Reclaim, "nobody to evict"},
		{command, "singles", scenario.Solve, "nobody says where it serves them"},
		{command, "singles", scenario.SchedulerCPU, ""},
		{served, "singles", scenario.Solve, ""},
	} {
		s := sized(t, tc.name, scenario.Size{})
		if tc.figure != "" {
			s = s.By(tc.figure)
		}
		err := tc.side.Answers(s)
		if tc.says == "" && err != nil || tc.says != "" && (!errors.Is(err, ErrNoAnswer) || !strings.Contains(err.Error(), tc.says)) {
			t.Errorf("%s with %s by %s: %v; want %q", tc.name, tc.side.Name, s.Figure, err, tc.says)
		}
	}
}
