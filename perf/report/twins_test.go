package report

import (
	"slices"
	"strings"
	"testing"
	"time"

	"muster/perf/measure"
	"muster/perf/results"
	"muster/perf/scenario"
)

// What the infeasible gang costs the others is the ratio of their latencies with it and without.
func TestTwins(t *testing.T) {
	r := &results.Record{Sides: []results.Side{{Name: "a"}, {Name: "b"}}}
	for _, name := range []string{"feasible-gangs", "infeasible-gang", "devices-gangs-of-8", "no-devices-gangs-of-8", "gangs-of-8"} {
		s, err := scenario.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		sized, err := s.At(scenario.Size{Nodes: 500})
		if err != nil {
			t.Fatal(err)
		}
		r.Scenarios = append(r.Scenarios, sized)
	}
	run := func(i int, side string, ready time.Duration, rate float64) {
		m := &measure.Result{Validity: measure.Validity{Valid: true}, Throughput: measure.Throughput{Rate: rate, Bound: 9}}
		m.Gangs.QuorumBound.Median, m.Gangs.Refused.Max = ready, time.Hour
		s := r.Scenarios[i]
		r.Runs = append(r.Runs, results.Run{Scenario: s.Name, Shape: s.Shape(), Side: side, Result: m, Figure: s.Figure.Of(m)})
	}
	run(0, "a", 2*time.Second, 1)
	run(1, "a", 3*time.Second, 1)
	run(1, "b", 3*time.Second, 1) // b has no run without the infeasible gang
	run(2, "a", 0, 50)
	run(3, "a", 0, 200)
	run(2, "b", 0, 60)
	run(3, "b", 0, 60)
	want := []string{
		"infeasible-gang/feasible-gangs nodes=500 gang-ready-sec a=1.5 b=n/a",
		"devices-gangs-of-8/no-devices-gangs-of-8 nodes=500 pods/s a=0.25 b=1", // once, though each names the other
	}
	if got := Twins(r); !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	lines := Lines(r)
	if len(lines) != 7 || lines[0] != want[0] || !strings.HasPrefix(lines[2], "feasible-gangs nodes=500 a=2") {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
}

// Several phases are told one by one.
func TestValuesByPhase(t *testing.T) {
	r := &measure.Result{Phases: []measure.Phase{
		{Name: "rate-20", Rate: 19, QuorumBound: measure.Distribution{Count: 75, Median: time.Second, Max: 2 * time.Second}},
		{Name: "rate-40"},
	}}
	have := map[string]float64{}
	for _, v := range values(r) {
		have[v.Name] = v.Value
	}
	if len(have) != 4 || have["gang-ready-sec"] != 1 || have["rate-20:pods/s"] != 19 || have["rate-20:gang-ready-sec"] != 1 || have["rate-20:gang-ready-max-sec"] != 2 {
		t.Errorf("%v", have)
	}
}
