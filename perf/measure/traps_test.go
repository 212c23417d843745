package measure

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"muster/suites/history"
	"muster/suites/history/historytest"
)

// Every trap that performance tests of schedulers have fallen into is here with the story of a run that fell into it.

// probes are a good observer's, once the scheduler of a backlog was let go.
func probes(lag time.Duration, n int) []extra {
	var out []extra
	for i := range n {
		out = append(out, probed(ms(50)+lag+ms(i), lag))
	}
	return out
}

// backlog is a valid run: 40 pods created while the scheduler is held back, then bound one a second.
func backlog() *historytest.Builder {
	b := historytest.New().Nodes(1).StopScheduler()
	for i := range 40 {
		b.Pod(fmt.Sprintf("p-%d", i), "")
	}
	b.StartScheduler()
	for i := range 40 {
		b.Wait(ms(999)).Bind(fmt.Sprintf("p-%d", i), "node-0")
	}
	return b
}

// burst creates n pods a millisecond apart, and binds bound of them before the last is created.
func burst(n, bound int) *historytest.Builder {
	b := historytest.New().Nodes(1)
	name := func(i int) string { return fmt.Sprintf("p-%d", i) }
	for i := range n - 1 {
		b.Pod(name(i), "")
	}
	for i := range bound {
		b.Bind(name(i), "node-0")
	}
	b.Pod(name(n-1), "")
	for i := bound; i < n; i++ {
		b.Bind(name(i), "node-0")
	}
	return b
}

// gangsInARow are n gangs of so many pods, of which the first bound are bound before the last pod is created.
func gangsInARow(n, size, bound int) *historytest.Builder {
	b := historytest.New().Nodes(1)
	name := func(i int) string { return fmt.Sprintf("g%d", i) }
	bind := func(i int) {
		for j := range size {
			b.Bind(fmt.Sprintf("%s-%d", name(i), j), "node-0")
		}
	}
	for i := range n {
		b.Gang(name(i), int32(size))
	}
	for i := range n - 1 {
		b.Pods(name(i), size)
	}
	for i := range bound {
		bind(i)
	}
	b.Pods(name(n-1), size)
	for i := bound; i < n; i++ {
		bind(i)
	}
	return b
}

// gangsAtOnce are n gangs created a second apart, of which all quorums are seen at the same time.
func gangsAtOnce(n int, apart time.Duration) *historytest.Builder {
	b := historytest.New().Nodes(1)
	for i := range n {
		b.Gang(fmt.Sprintf("g%d", i), 1).Pod(fmt.Sprintf("p%d", i), fmt.Sprintf("g%d", i))
	}
	b.Wait(time.Minute)
	for i := range n {
		b.Wait(apart).Bind(fmt.Sprintf("p%d", i), "node-0")
	}
	return b
}

// share are two samples of muster and of the scheduler, of which muster takes a fifth.
func share(at, used time.Duration) []extra {
	cpu := func(at time.Duration, process string, d time.Duration) extra {
		return sampled(at, history.Sample{Process: process, PID: 1, CPU: d, RSS: 1})
	}
	return []extra{
		cpu(at, ProcessMuster, used), cpu(at+ms(1000), ProcessMuster, used+ms(200)),
		cpu(at, history.ProcessScheduler, used), cpu(at+ms(1000), history.ProcessScheduler, used+ms(800)),
	}
}

// late are requests of one phase that were sent so many milliseconds after their time.
func late(milliseconds ...int) map[string][]time.Duration {
	out := map[string][]time.Duration{}
	for _, n := range milliseconds {
		out["load"] = append(out["load"], ms(n))
	}
	return out
}

func TestValidity(t *testing.T) {
	good := Plan{Pods: 40, Arrival: Backlog}
	throttle := func(at time.Duration, seconds float64) extra {
		return scraped(at, history.ProcessScheduler, map[string]float64{clientThrottle + `{verb="POST"}`: seconds})
	}
	var starved []extra
	for i := range 40 {
		starved = append(starved, probed(ms(500+i), ms(300)))
	}
	tests := []struct {
		name   string
		story  *historytest.Builder
		o      Options
		extras []extra
		want   []Kind
		label  bool // a label, not a problem
	}{
		{name: "a good run", story: backlog(), o: Options{Plan: good}, extras: probes(ms(1), 9)},
		{name: "more objects than planned", story: backlog(), o: Options{Plan: Plan{Pods: 39, Arrival: Backlog}}, extras: probes(ms(1), 9), want: []Kind{MoreThanPlanned}},
		{name: "more gangs than planned", story: backlog().Gang("extra", 1), o: Options{Plan: good}, extras: probes(ms(1), 9), want: []Kind{MoreThanPlanned}},
		{name: "fewer than planned", story: backlog(), o: Options{Plan: Plan{Pods: 41, Unbound: 1, Arrival: Backlog}}, extras: probes(ms(1), 9), want: []Kind{FewerThanPlanned}},
		{name: "a replaced pod is one more", story: backlog().Deleting("p-0").Gone("p-0").Pod("p-0", ""), o: Options{Plan: good}, extras: probes(ms(1), 9),
			want: []Kind{MoreThanPlanned, EarlyBinds}},
		{name: "a starved observer", story: backlog(), o: Options{Plan: good}, extras: starved, want: []Kind{ObserverBound}},
		{name: "one probe of a hundred and one may be late", story: backlog(), o: Options{Plan: good}, extras: append(probes(ms(1), 100), probed(ms(900), ms(300)))},
		{name: "two may not", story: backlog(), o: Options{Plan: good}, extras: append(probes(ms(1), 99), probed(ms(900), ms(300)), probed(ms(901), ms(300))), want: []Kind{ObserverBound}},
		{name: "nothing known about the observer", story: backlog(), o: Options{Plan: good}, want: []Kind{LagUnknown}},
		{name: "a probe from the future tells nothing", story: backlog(), o: Options{Plan: good}, extras: []extra{probed(ms(5), -ms(5))}, want: []Kind{LagUnknown}},
		{name: "every latency equal", story: gangsAtOnce(20, 0), o: Options{Plan: Plan{Pods: 20, Gangs: 20, Arrival: Burst}}, extras: probes(ms(1), 9), want: []Kind{EqualLatencies}},
		{name: "latencies that differ", story: gangsAtOnce(20, ms(99)), o: Options{Plan: Plan{Pods: 20, Gangs: 20, Arrival: Burst}}, extras: probes(ms(1), 9)},
		{name: "few gangs may be placed at once", story: gangsAtOnce(19, 0), o: Options{Plan: Plan{Pods: 19, Gangs: 19, Arrival: Burst}}, extras: probes(ms(1), 9)},
		{name: "a creator slower than the scheduler", story: burst(100, 95), o: Options{Plan: Plan{Pods: 100, Arrival: Burst}}, extras: probes(ms(1), 9), want: []Kind{CreatorBound}},
		{name: "a ceiling that keeps up with its creator", story: burst(100, 95), o: Options{Plan: Plan{Pods: 100, Arrival: Burst}, IsCeiling: true}, extras: probes(ms(1), 9),
			want: []Kind{CreatorBound}, label: true},
		{name: "keeping up is no flaw of a latency", story: burst(100, 95), o: Options{Plan: Plan{Pods: 100, Arrival: Burst}, NotThroughput: true}, extras: probes(ms(1), 9)},
		{name: "the last gang waits for its own members", story: gangsInARow(10, 10, 9), o: Options{Plan: Plan{Pods: 100, Gangs: 10, Arrival: Burst}}, extras: probes(ms(1), 9),
			want: []Kind{CreatorBound}},
		{name: "gangs that wait for the scheduler", story: gangsInARow(10, 10, 7), o: Options{Plan: Plan{Pods: 100, Gangs: 10, Arrival: Burst}}, extras: probes(ms(1), 9)},
		{name: "the load is one gang", story: gangsInARow(1, 100, 0), o: Options{Plan: Plan{Pods: 100, Gangs: 1, Arrival: Burst}}, extras: probes(ms(1), 9), want: []Kind{CreatorBound}},
		{name: "a ceiling is there for its throughput", story: burst(100, 95), o: Options{Plan: Plan{Pods: 100, Arrival: Burst}, IsCeiling: true, NotThroughput: true}, extras: probes(ms(1), 9),
			want: []Kind{CreatorBound}, label: true},
		{name: "a creator that is fast enough", story: burst(100, 80), o: Options{Plan: Plan{Pods: 100, Arrival: Burst}}, extras: probes(ms(1), 9)},
		{name: "a backlog that was not whole", story: burst(100, 1), o: Options{Plan: Plan{Pods: 100, Arrival: Backlog}}, extras: probes(ms(1), 9), want: []Kind{EarlyBinds}},
		{name: "an open loop that fell behind", story: burst(100, 99), o: Options{Plan: Plan{Pods: 100, Arrival: OpenLoop, Rate: 2000}}, extras: probes(ms(1), 9), want: []Kind{CreatorBound}},
		{name: "an open loop that kept up", story: burst(100, 99), o: Options{Plan: Plan{Pods: 100, Arrival: OpenLoop, Rate: 400}}, extras: probes(ms(1), 9)},
		{name: "an open loop whose requests were late", story: burst(100, 99), o: Options{Plan: Plan{Pods: 100, Arrival: OpenLoop, Rate: 400}, Lateness: late(0, 101)},
			extras: probes(ms(1), 9), want: []Kind{CreatorBound}},
		{name: "an open loop with pauses, never late", story: burst(100, 99), o: Options{Plan: Plan{Pods: 100, Arrival: OpenLoop, Rate: 2000}, Lateness: late(0, 100)},
			extras: probes(ms(1), 9)},
		{name: "what is never bound hides no slow creator", story: historytest.New().Nodes(1).Pods("never", 50).Pod("a", "").Pod("b", "").Bind("a", "node-0").Bind("b", "node-0").Pods("never", 1),
			o: Options{Plan: Plan{Pods: 53, Unbound: 51, Arrival: Burst}}, extras: probes(ms(1), 9), want: []Kind{CreatorBound}},
		{name: "muster weighs on the run", story: backlog(), o: Options{Plan: good}, extras: append(probes(ms(1), 9), share(ms(2), 0)...), want: []Kind{HeavyHarness}, label: true},
		{name: "not all bound", story: backlog().Pod("late", ""), o: Options{Plan: Plan{Pods: 41, Arrival: Burst}}, extras: probes(ms(1), 9), want: []Kind{Unfinished, CreatorBound}},
		{name: "how much fits", story: backlog(), o: Options{Plan: Plan{Pods: 42, Arrival: Backlog}, HowMuchFits: true}, extras: probes(ms(1), 9),
			want: []Kind{FewerThanPlanned, Unfinished}, label: true},
		{name: "meant to stay unbound", story: burst(100, 0).Pods("never", 3), o: Options{Plan: Plan{Pods: 103, Unbound: 3, Arrival: OpenLoop}}, extras: probes(ms(1), 9)},
		{name: "gaps", story: backlog().BreakWatch("pods"), o: Options{Plan: good}, extras: probes(ms(1), 9), want: []Kind{Gaps}},
		{name: "rules were broken", story: backlog(), o: Options{Plan: good, Violations: 2}, extras: probes(ms(1), 9), want: []Kind{Violations}},
		{name: "the client throttled", story: backlog(), o: Options{Plan: good}, extras: append(probes(ms(1), 9), throttle(ms(2), 1), throttle(ms(40000), 5)), want: []Kind{Throttled}},
		{name: "hardly throttled", story: backlog(), o: Options{Plan: good}, extras: append(probes(ms(1), 9), throttle(ms(2), 1), throttle(ms(40000), 2))},
		{name: "the API server is the limit", story: backlog(), o: Options{Plan: good, Ceiling: 1.05}, extras: probes(ms(1), 9), want: []Kind{APIBound}, label: true},
		{name: "far from the ceiling", story: backlog(), o: Options{Plan: good, Ceiling: 10}, extras: probes(ms(1), 9)},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			r := Of(tapeOf(t, tc.story, tc.extras...), tc.o)
			var have []Kind
			for _, p := range append(r.Validity.Problems, r.Validity.Labels...) {
				have = append(have, p.Kind)
				if len(p.Message) < 20 || !r.Validity.Has(p.Kind) {
					t.Errorf("%+v", p)
				}
			}
			if !slices.Equal(have, tc.want) {
				t.Errorf("problems %+v, labels %+v; want %v", r.Validity.Problems, r.Validity.Labels, tc.want)
			}
			if r.Validity.Valid != (len(tc.want) == 0 || tc.label) {
				t.Errorf("valid: %v", r.Validity.Valid)
			}
		})
	}
}

// The ceiling may be known only later, and a second time.
func TestAgainst(t *testing.T) {
	r := Of(tapeOf(t, backlog(), probes(ms(1), 9)...), Options{Plan: Plan{Pods: 40, Arrival: Backlog}})
	for _, tc := range []struct {
		share       float64
		bound, over bool
	}{{0.95, true, false}, {0.95, true, false}, {1.04, true, false}, {1.06, false, true}, {1.06, false, true}, {0.5, false, false}} {
		r.Against(r.Throughput.Rate/tc.share, Limits{})
		if !near(r.OfCeiling, tc.share) || r.Validity.Has(APIBound) != tc.bound || r.Validity.Has(CeilingTooLow) != tc.over ||
			len(r.Validity.Labels) > 1 || !r.Validity.Valid {
			t.Errorf("%v: %v, %+v", tc.share, r.OfCeiling, r.Validity)
		}
	}
	if r.Against(0, Limits{}); !near(r.OfCeiling, 0.5) {
		t.Error("a ceiling that is not known changed what was known")
	}
}

// The throughput of an open loop is what is offered, on both sides.
func TestAnOpenLoopHasNoCeiling(t *testing.T) {
	r := Of(tapeOf(t, burst(100, 99), probes(ms(1), 9)...), Options{Plan: Plan{Pods: 100, Arrival: OpenLoop, Rate: 400}, Ceiling: 1})
	r.Against(r.Throughput.Rate, Limits{})
	if r.OfCeiling != 0 || len(r.Validity.Labels) > 0 {
		t.Errorf("%v of the ceiling, %+v", r.OfCeiling, r.Validity.Labels)
	}
}

// Without what the scenario is run for, the run is none.
func TestLacks(t *testing.T) {
	r := Of(tapeOf(t, backlog(), probes(ms(1), 9)...), Options{Plan: Plan{Pods: 40, Arrival: Backlog}})
	if r.Lacks("verdict-sec"); r.Validity.Valid || !r.Validity.Has(NoFigure) {
		t.Errorf("%+v", r.Validity)
	}
}

// Only what is read is kept of a scrape.
func TestScraped(t *testing.T) {
	for _, name := range append(slices.Clone(Histograms), "go_goroutines", serverLatency) {
		if Scraped(history.ProcessScheduler, name) {
			t.Errorf("%s is kept of the scheduler", name)
		}
		if base := name + "_sum"; Scraped(history.ProcessScheduler, base) != slices.Contains(Histograms, name) || Scraped(ProcessAPIServer, base) {
			t.Errorf("%s", base)
		}
	}
	for _, name := range []string{clientRequests, clientThrottle, clientLatency, clientLatencyN, podAttempts, groupAttempts} {
		if !Scraped(history.ProcessScheduler, name) {
			t.Errorf("%s is not kept", name)
		}
	}
}

// A run that was interrupted keeps what it measured and says so.
func TestInterrupted(t *testing.T) {
	tape := tapeOf(t, backlog(), probes(ms(1), 9)...)
	tape.View.End = history.Stamp{}
	r := Of(tape, Options{Plan: Plan{Pods: 40, Arrival: Backlog}})
	if r.Validity.Valid || !r.Validity.Has(Interrupted) || r.Throughput.Bound != 40 {
		t.Errorf("%+v", r.Validity)
	}
}
