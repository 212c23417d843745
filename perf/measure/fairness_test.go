package measure

import (
	"testing"
	"time"

	"muster/suites/history"
	"muster/suites/history/historytest"
)

// A late observer is not excused by how it did while nothing was bound.
func TestProbesBeforeTheBindsDoNotCount(t *testing.T) {
	var quiet []extra
	for i := range 40 { // while the backlog is created, and its scheduler held back
		quiet = append(quiet, probed(ms(3+i), ms(1)))
	}
	r := Of(tapeOf(t, backlog(), append(quiet, probed(ms(9000), ms(200)))...), Options{Plan: Plan{Pods: 40, Arrival: Backlog}})
	if r.Fairness.WatchLag.Count != 1 || !r.Validity.Has(ObserverBound) {
		t.Errorf("%+v, %+v", r.Fairness.WatchLag, r.Validity)
	}
	marked := historytest.New().Nodes(1).Pod("victim", "", historytest.Placed("node-0")).Wait(ms(1000)).Mark(MarkMeasured).Pod("a", "").Wait(ms(1000)).Bind("a", "node-0")
	if tape := tapeOf(t, marked, probed(ms(500), ms(1)), probed(ms(1500), ms(7))); len(tape.Probes) != 1 || tape.Probes[0] != ms(7) {
		t.Errorf("probes %v: one is of the preparation", tape.Probes)
	}
}

// Muster works also while the scheduler is held back, and that is part of its share.
func TestOwnShareIsOfOneTime(t *testing.T) {
	cpu := func(at time.Duration, process string, d time.Duration) extra {
		return sampled(at, history.Sample{Process: process, PID: 1, CPU: d, RSS: 1})
	}
	tape := tapeOf(t, backlog(), cpu(ms(3), ProcessMuster, 0), cpu(ms(20003), ProcessMuster, ms(2000)), // a tenth of a core in 20 s
		cpu(ms(10003), history.ProcessScheduler, 0), cpu(ms(20003), history.ProcessScheduler, ms(8000))) // 0.8 cores in 10 s
	f := Of(tape, Options{Plan: Plan{Pods: 40, Arrival: Backlog}}).Fairness
	if !near(f.Cores[ProcessMuster], 0.1) || !near(f.Cores[history.ProcessScheduler], 0.8) || !near(value(f.OwnShare), 0.2) {
		t.Errorf("cores %v, own share %v; want 2 of 10 s", f.Cores, value(f.OwnShare))
	}
}

// Without probes the watch's lag behind the answers to the driver must do.
func TestLagOfCreations(t *testing.T) {
	b := historytest.New().Nodes(1).Wait(ms(300)).Pod("a", "").Pod("b", "").Wait(ms(1000)) // seen at 303 and 304 ms
	plain := tapeOf(t, b)
	a, c := plain.View.Pod("a").UID, plain.View.Pod("b").UID
	tape := tapeOf(t, b, answered(ms(103), "a", a), answered(ms(306), "b", c))
	d, source := lag(tape)
	if source != "creations" || d.Count != 2 || d.Max != ms(200) || d.Min != 0 {
		t.Errorf("%+v of %s", d, source)
	}
	if l := load(tape, Burst, nil); l.Creating != ms(203) || !near(l.Rate, 1/0.203) {
		t.Errorf("the driver was answered at 103 and 306 ms: %+v", l)
	}
}

func TestFairness(t *testing.T) {
	server := func(at time.Duration, sum, count, watches, hooks float64) extra {
		return scraped(at, ProcessAPIServer, map[string]float64{
			serverLatency + `{verb="POST"}`: sum, serverLatencyN + `{verb="POST"}`: count,
			serverLatency + `{verb="WATCH"}`: watches, serverLatencyN + `{verb="WATCH"}`: 1 + watches,
			serverAdmission + `{name="hook"}`: hooks,
		})
	}
	cpu := func(at time.Duration, process string, d time.Duration) extra {
		return sampled(at, history.Sample{Process: process, PID: 1, CPU: d, RSS: 1})
	}
	tape := tapeOf(t, backlog(), server(ms(3), 1, 10, 100, 5), server(ms(1000), 3, 110, 900, 9),
		cpu(ms(3), ProcessMuster, ms(10)), cpu(ms(1003), ProcessMuster, ms(110)),
		cpu(ms(3), history.ProcessScheduler, ms(10)), cpu(ms(1003), history.ProcessScheduler, ms(910)), probed(ms(60), ms(7)))
	f := Of(tape, Options{Plan: Plan{Pods: 40, Arrival: Backlog}, Client: Client{QPS: 5000, Burst: 5000}}).Fairness
	if f.Client.QPS != 5000 || value(f.ServerLatency) != ms(20) || f.Webhooks != 4 || f.Throttled != nil || f.ClientLatency != nil {
		t.Errorf("%+v, server latency %v", f, value(f.ServerLatency))
	}
	if !near(f.Cores[ProcessMuster], 0.1) || !near(f.Cores[history.ProcessScheduler], 0.9) || !near(value(f.OwnShare), 0.1) {
		t.Errorf("cores %v, own share %v", f.Cores, value(f.OwnShare))
	}
	if f.LagSource != "probe" || f.WatchLag.Max != ms(7) {
		t.Errorf("lag %+v of %s", f.WatchLag, f.LagSource)
	}
}
