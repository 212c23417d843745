package runner

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"muster/fakes/undertest"
	"muster/perf/measure"
	"muster/perf/results"
	"muster/perf/scenario"
)

// Real control planes, where MUSTER_BIN names the built binary: a burst and a backlog, small, with a scheduler and the
// ceiling. Whether a loaded machine's figures are valid is not asked; what was created, bound, counted and kept is.
func TestLive(t *testing.T) {
	bin := os.Getenv("MUSTER_BIN")
	if bin == "" {
		t.Skip("MUSTER_BIN is not set")
	}
	o := Options{
		Sides: []Side{side(undertest.KubeScheduler), side(results.Ceiling)}, Out: t.TempDir(), Seed: 1, Patience: time.Minute,
		Scenarios: []*scenario.Sized{
			sized(t, "burst-gangs-of-8", scenario.Size{Nodes: 20, Scale: 0.03}),
			sized(t, "gangs-of-8", scenario.Size{Nodes: 20, Scale: 0.03}),
		},
	}
	o.Cluster.Binary = bin
	r, err := Run(t.Context(), o)
	if err != nil || len(r.Runs) != 4 || r.Incomplete {
		t.Fatalf("%+v, %v", r, err)
	}
	for i := range r.Runs {
		run := &r.Runs[i]
		if run.Error != "" || run.Result == nil || run.Verdicts == nil || run.Verdicts.Failed > 0 {
			t.Fatalf("%s %s: %s, %+v", run.Scenario, run.Side, run.Error, run.Verdicts)
		}
		m, plan := run.Result, r.Scenarios[i/2].Plan()
		for _, p := range m.Validity.Problems {
			switch p.Kind {
			case measure.ObserverBound, measure.CreatorBound, measure.EqualLatencies: // the machine's, or of so small a load
			default:
				t.Errorf("%s %s: %+v", run.Scenario, run.Side, p)
			}
		}
		if m.Load.Pods != plan.Pods || m.Load.Gangs != plan.Gangs || m.Throughput.Bound != plan.Pods || m.Gangs.Ready != plan.Gangs {
			t.Errorf("%s %s: load %+v, bound %d, %d gangs ready; planned %+v", run.Scenario, run.Side, m.Load, m.Throughput.Bound, m.Gangs.Ready, plan)
		}
		if plan.Arrival == measure.Backlog && m.Load.Early > 0 {
			t.Errorf("%s %s: %d pods were bound while the scheduler was held back", run.Scenario, run.Side, m.Load.Early)
		}
		for _, process := range []string{"scheduler", measure.ProcessAPIServer, measure.ProcessMuster, "etcd"} {
			if m.Processes[process].PeakRSS == 0 {
				t.Errorf("%s %s: nothing is known of %s", run.Scenario, run.Side, process)
			}
		}
		if m.API == nil || m.API.PerPodByMethod["POST"] < 1 || m.API.PerPodByMethod["POST"] > 3 {
			t.Errorf("%s %s: API calls %+v; every bind is a POST", run.Scenario, run.Side, m.API)
		}
		if f := m.Fairness; f.Throttled == nil || f.ServerLatency == nil || f.OwnShare == nil || f.LagSource != "probe" || f.Client.QPS == 0 {
			t.Errorf("%s %s: fairness %+v", run.Scenario, run.Side, f)
		}
		again(t, o.Out, run, r.Scenarios[i/2])
	}
}

// again: whoever has the file gets the same numbers.
func again(t *testing.T, dir string, run *results.Run, s *scenario.Sized) {
	t.Helper()
	h, err := readHistory(filepath.Join(dir, run.History))
	if err != nil {
		t.Fatal(err)
	}
	v, err := viewOf(h, s.Name)
	if err != nil {
		t.Fatal(err)
	}
	m := measure.Of(measure.NewTape(h, v), measure.Options{
		Plan: s.Plan(), Client: run.Result.Fairness.Client, IsCeiling: run.Side == results.Ceiling,
	})
	run.Result.OfCeiling = 0 // known only with the ceiling's runs, as is the label of runs that reach it
	run.Result.Validity, m.Validity = measure.Validity{}, measure.Validity{}
	have, _ := json.Marshal(m)
	want, _ := json.Marshal(run.Result)
	if string(have) != string(want) {
		t.Errorf("%s %s: measured again:\n%s\nwas\n%s", run.Scenario, run.Side, have, want)
	}
}

// An interrupt half-way keeps what was measured, marks it, and leaves nothing running.
func TestLiveInterrupt(t *testing.T) {
	bin := os.Getenv("MUSTER_BIN")
	if bin == "" {
		t.Skip("MUSTER_BIN is not set")
	}
	ctx, cancel := context.WithCancel(t.Context())
	o := Options{
		Sides: []Side{side(undertest.KubeScheduler)}, Out: t.TempDir(), Runs: 2, Patience: time.Hour,
		// Victims first, which are there when the preemptors' phase is called off.
		Scenarios: []*scenario.Sized{sized(t, "preemption-100", scenario.Size{Nodes: 20, Scale: 1})},
		Progress:  interrupting{cancel},
	}
	o.Cluster.Binary = bin
	r, err := Run(ctx, o)
	if err == nil || r == nil || !r.Incomplete || len(r.Runs) != 1 || !r.Runs[0].Incomplete || r.Runs[0].Valid() {
		t.Fatalf("%+v, %v", r, err)
	}
	if m := r.Runs[0].Result; m == nil || m.Load.Pods == 0 || !m.Validity.Has(measure.Interrupted) {
		t.Errorf("%+v", m)
	}
}

// interrupting cancels when the preemptors come.
type interrupting struct{ cancel func() }

func (i interrupting) Planned([]Estimate) {}
func (i interrupting) Started(int)        {}
func (i interrupting) Phase(_ int, text string) {
	if text == "phase preemptors" {
		i.cancel()
	}
}
func (i interrupting) Ended(int, *results.Run) {}
