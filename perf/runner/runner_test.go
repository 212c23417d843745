package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/fakes/undertest"
	"muster/perf/measure"
	"muster/perf/results"
	"muster/perf/scenario"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/run/fold"
)

func sized(t *testing.T, name string, size scenario.Size) *scenario.Sized {
	t.Helper()
	s, err := scenario.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.At(size)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func side(kind string) Side {
	return Side{Name: kind, Scheduling: undertest.Options{Scheduler: kind}}
}

func TestPlanTakesTurns(t *testing.T) {
	o := Options{
		Sides: []Side{side(undertest.KubeScheduler), side(undertest.Reference), side(undertest.Ceiling)}, Runs: 2,
		Scenarios: []*scenario.Sized{sized(t, "singles", scenario.Size{}), sized(t, "preemption-100", scenario.Size{})},
	}
	var got []string
	for _, s := range o.plan() {
		got = append(got, fmt.Sprintf("%s %s #%d", s.sized.Name, s.side.Name, s.n))
	}
	want := []string{
		"singles kube-scheduler #1", "singles reference #1", "singles ceiling #1", "singles ceiling #2", "singles reference #2", "singles kube-scheduler #2",
		// The ceiling evicts nobody.
		"preemption-100 kube-scheduler #1", "preemption-100 reference #1", "preemption-100 reference #2", "preemption-100 kube-scheduler #2",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

func TestOptionsAreChecked(t *testing.T) {
	one := []*scenario.Sized{sized(t, "singles", scenario.Size{})}
	for _, o := range []Options{
		{}, {Sides: []Side{side("a")}, Scenarios: one}, {Sides: []Side{side("a")}, Scenarios: one, Out: "x", Paired: []string{"b"}},
		{Sides: []Side{side(undertest.Ceiling)}, Scenarios: []*scenario.Sized{sized(t, "reclaim", scenario.Size{})}, Out: "x"}, {Sides: []Side{side("a"), side("a")}, Scenarios: one, Out: "x"}, {Sides: []Side{side("a b"), side("a_b")}, Scenarios: one, Out: "x"}, {Sides: []Side{{}}, Scenarios: one, Out: "x"},
	} {
		if r, err := Run(t.Context(), o); err == nil || r != nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}

// An invocation that is interrupted before its first run keeps a record that says so.
func TestInterruptedAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	o := Options{Sides: []Side{side(undertest.KubeScheduler)}, Scenarios: []*scenario.Sized{sized(t, "singles", scenario.Size{})}, Out: t.TempDir(), Runs: 3}
	r, err := Run(ctx, o)
	if !errors.Is(err, why) || r == nil || !r.Incomplete || r.Planned != 3 || len(r.Runs) != 0 || r.Sides[0].Client.QPS == 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func run(side string, half int, pods float64, valid bool) results.Run {
	r := results.Run{Shape: "s", Side: side, Half: half, Figure: scenario.Reading{Value: pods, Unit: "pods/s"}, Result: &measure.Result{}}
	r.Result.Throughput.Rate = pods
	r.Result.Validity.Valid = valid
	if !valid {
		r.Result.Validity.Problems = []measure.Problem{{Kind: measure.Gaps, Message: "gaps"}}
	}
	return r
}

func TestRelate(t *testing.T) {
	r := &results.Record{Runs: []results.Run{
		run("x", 0, 150, true), run(results.Ceiling, 0, 300, true), run(results.Ceiling, 1, 30, false), run("x", 1, 285, true),
	}}
	Relate(r)
	if got := CeilingOf(r, "s"); got != 300 {
		t.Errorf("ceiling %v: an invalid run counts for nothing", got)
	}
	first, last := r.Runs[0].Result, r.Runs[3].Result
	if first.OfCeiling != 0.5 || last.OfCeiling != 0.95 || !last.Validity.Has(measure.APIBound) || r.Runs[1].Result.OfCeiling != 0 {
		t.Errorf("%v, %v", first.OfCeiling, last.OfCeiling)
	}
	if CeilingOf(r, "other") != 0 {
		t.Error("a shape that was not run has a ceiling")
	}
	c := Comparables(r, "s")
	if len(c) != 4 || c[3].Half != 1 || c[3].Side != "x" || c[2].Problems[0] != "gaps" || c[0].Fairness == nil {
		t.Errorf("%+v", c)
	}
}

// A ceiling that kept up with its creator is none, and nothing is a share of it.
func TestACreatorBoundCeilingIsNone(t *testing.T) {
	kept := run(results.Ceiling, 0, 300, true)
	kept.Result.Load.Arrival = measure.Burst
	kept.Result.Validity.Labels = []measure.Problem{{Kind: measure.CreatorBound, Message: "it kept up with its creator"}}
	r := &results.Record{Runs: []results.Run{run("x", 0, 285, true), kept}}
	if Relate(r); CeilingOf(r, "s") != 0 || r.Runs[0].Result.OfCeiling != 0 || len(r.Runs[0].Result.Validity.Labels) > 0 {
		t.Errorf("%v of a ceiling of %v", r.Runs[0].Result.OfCeiling, CeilingOf(r, "s"))
	}
	if c := Comparables(r, "s"); len(c[1].Problems) != 1 || !r.Runs[1].Valid() {
		t.Errorf("%+v", c[1])
	}
	// Of a latency it is as good as any, of the throughput beside it not.
	r.Runs[1].Figure = scenario.Reading{Value: 3, Unit: scenario.GangReady.Unit().Unit}
	if c := Comparables(r, "s"); len(c[1].Problems) != 0 || CeilingOf(r, "s") != 0 {
		t.Errorf("%+v, ceiling %v", c[1], CeilingOf(r, "s"))
	}
	r.Runs = append(r.Runs, run(results.Ceiling, 1, 570, true))
	if Relate(r); r.Runs[0].Result.OfCeiling != 0.5 {
		t.Errorf("%v of the ceiling's other run", r.Runs[0].Result.OfCeiling)
	}
}

// A scheduler that never tells anybody has no time until it does, and its run is not valid for it.
func TestARunWithoutItsFigureIsNone(t *testing.T) {
	silent := results.Run{Result: &measure.Result{Validity: measure.Validity{Valid: true}, Throughput: measure.Throughput{Rate: 50, Bound: 1000}}}
	if read(&silent, scenario.TimeToVerdict, false); silent.Valid() || !silent.Result.Validity.Has(measure.NoFigure) {
		t.Errorf("%+v", silent.Result.Validity)
	}
	for f, ceiling := range map[scenario.Figure]bool{scenario.Throughput: false, scenario.Solve: true} {
		r := results.Run{Result: &measure.Result{Validity: measure.Validity{Valid: true}, Throughput: measure.Throughput{Rate: 50, Bound: 1000}}}
		if read(&r, f, ceiling); !r.Valid() {
			t.Errorf("%s: %+v", f, r.Result.Validity)
		}
	}
}

func TestViolationsThatCount(t *testing.T) {
	j, err := newJudging()
	if err != nil {
		t.Fatal(err)
	}
	j.known = []fold.KnownFinding{{Scheduler: "s", Version: "*", Requirement: "INV-001", Check: "c"}}
	p := history.SchedulerProfile{Name: "s", Version: "v1"}
	for _, tc := range []struct {
		finding suites.Finding
		known   bool
	}{
		{suites.Finding{Requirement: "INV-001", Check: "c"}, true},
		{suites.Finding{Requirement: "INV-001", Check: "other"}, false},
		{suites.Finding{Requirement: "INV-002", Check: "c"}, false},
	} {
		if j.isKnown(tc.finding, p) != tc.known {
			t.Errorf("%+v", tc.finding)
		}
	}
	if j.isKnown(suites.Finding{Requirement: "INV-001", Check: "c"}, history.SchedulerProfile{Name: "another"}) {
		t.Error("known of another scheduler")
	}
	if j.levels["INV-001"] == "" {
		t.Error("the invariants have no levels")
	}
}

func TestPrinterLearns(t *testing.T) {
	var out bytes.Buffer
	p := NewPrinter(&out, true)
	p.Planned([]Estimate{{"a 1", "a", 10 * time.Second}, {"b 1", "b", 20 * time.Second}, {"a 2", "a", 10 * time.Second}})
	p.Started(0)
	p.Phase(0, "starting")
	p.Phase(0, "starting")
	ended := run("x", 0, 73.14159, true)
	ended.Took = 30 * time.Second // three times as long as thought
	p.Ended(0, &ended)
	p.Started(1)
	broken := results.Run{Error: "it fell over\n\tand this is its log", Took: time.Second}
	p.Ended(1, &broken)
	p.Planned([]Estimate{{"b 2", "b", 20 * time.Second}, {"a 3", "a", 10 * time.Second}})
	p.Started(3)
	want := `3 runs, about 40s
[1/3] a 1
      starting
[1/3] a 1: 73.14 pods/s (30s); about 1m30s left
[2/3] b 1
[2/3] b 1: invalid: it fell over (1s); about 30s left
2 runs more, for a block that an invalid run has spoilt, about 1m1s
[4/5] b 2
`
	if out.String() != want {
		t.Errorf("%s", out.String())
	}
}

func TestMachine(t *testing.T) {
	m := ThisMachine()
	if m.CPUs < 1 || m.Memory < 1<<20 || m.Go == "" {
		t.Errorf("%+v", m)
	}
	if n := AvailableMemory(); n <= 0 || n > m.Memory {
		t.Errorf("%d bytes available of %d", n, m.Memory)
	}
}

func TestFileNames(t *testing.T) {
	if got := fileName("./my scheduler/../x-1.2"); got != "._my_scheduler_.._x-1.2" {
		t.Error(got)
	}
}
