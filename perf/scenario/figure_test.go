package scenario

import (
	"math"
	"strings"
	"testing"
	"time"

	"muster/perf/measure"
	"muster/suites/history"
)

func TestFigures(t *testing.T) {
	full := &measure.Result{
		Throughput: measure.Throughput{Rate: 290, Bound: 500},
		Processes:  map[string]measure.Process{history.ProcessScheduler: {CPU: 3 * time.Second}},
		Histograms: []measure.Histogram{
			{Name: "scheduler_podgroup_scheduling_algorithm_duration_seconds", Count: 10, Mean: 40 * time.Millisecond},
			// Of members too, which the groups' contains.
			{Name: "scheduler_scheduling_algorithm_duration_seconds", Count: 100, Mean: time.Millisecond},
			{Name: "scheduler_scheduling_attempt_duration_seconds", Count: 100, Mean: time.Second},
		},
		Gangs: measure.GangLatency{
			QuorumBound: measure.Distribution{Median: 1500 * time.Millisecond, Max: time.Minute},
			Refused:     measure.Distribution{Median: time.Second, Max: 2 * time.Second},
		},
		Evictions: &measure.Evictions{Reclaim: measure.Distribution{Max: 7 * time.Second}},
		Capacity:  measure.Capacity{OfWanted: 0.3},
		Fit:       &measure.Fit{Score: 0.97},
	}
	readings := map[Figure]Reading{
		Throughput: {290, "pods/s", true}, GangReady: {1.5, "gang-ready-sec", false}, Reclaim: {7, "reclaim-sec", false},
		SchedulerCPU: {6, "cpu-sec/1k-pods", false}, Solve: {0.8, "solve-sec/1k-pods", false},
		TimeToVerdict: {2, "verdict-sec", false}, Occupancy: {0.97, "occupancy", true},
	}
	for _, f := range Figures {
		want, known := readings[f]
		if !known {
			t.Errorf("%s is not tested", f)
		}
		if got := f.Of(full); got != want {
			t.Errorf("%s: %+v; want %+v", f, got, want)
		}
		if !want.Usable() || (Reading{Value: math.Inf(1)}).Usable() {
			t.Errorf("%s: %+v can be used, and what is infinite cannot", f, want)
		}
		if got := f.Of(&measure.Result{}); got.Value != 0 || got.Unit != want.Unit || got.Usable() {
			t.Errorf("%s of a run without it: %+v", f, got)
		}
		if strings.ContainsAny(want.Unit, " \t") {
			t.Errorf("%s: the unit is not one word", f)
		}
	}
}

// The latency at several rates is that of the first: of all together it would be that of none.
func TestGangReadyOfAStaircase(t *testing.T) {
	phase := func(d time.Duration) measure.Phase {
		return measure.Phase{QuorumBound: measure.Distribution{Median: d}}
	}
	r := &measure.Result{
		Gangs:  measure.GangLatency{QuorumBound: measure.Distribution{Median: time.Minute}},
		Phases: []measure.Phase{phase(2 * time.Second), phase(time.Hour)},
	}
	if got := GangReady.Of(r); got.Value != 2 {
		t.Errorf("%+v", got)
	}
}

func FuzzParse(f *testing.F) {
	raw, err := data.ReadFile("data/1-basics.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add([]byte("- name: x\n  phases: [{groups: [{pods: [{count: 9999999999}]}]}]"))
	f.Add([]byte("{"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		ss, err := Parse(raw)
		if err != nil {
			return
		}
		for _, s := range ss {
			if err := s.Validate(); err != nil {
				t.Fatalf("parsed, and then: %v", err)
			}
		}
	})
}
