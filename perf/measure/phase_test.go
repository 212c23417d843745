package measure

import (
	"fmt"
	"testing"
	"time"

	"muster/suites/history/historytest"
)

// Two steps of a staircase: two gangs of one that take 100 ms each, then two that take 1000.
func staircase() *historytest.Builder {
	b := historytest.New().Nodes(1).Mark(MarkMeasured)
	for i, wait := range []int{100, 1000} {
		b.Mark(MarkPhase + fmt.Sprintf("rate-%d", i))
		for j := range 2 {
			name := fmt.Sprintf("g%d%d", i, j)
			b.Gang(name, 1).Pods(name, 1).Wait(ms(wait-1)).Bind(name+"-0", "node-0")
		}
	}
	return b
}

func TestPhases(t *testing.T) {
	r := Of(tapeOf(t, staircase(), probes(ms(1), 9)...), Options{Plan: Plan{Pods: 4, Gangs: 4, Arrival: OpenLoop}})
	if len(r.Phases) != 2 || !r.Validity.Valid {
		t.Fatalf("%+v, %+v", r.Phases, r.Validity)
	}
	for i, want := range []struct {
		latency, whole time.Duration
	}{{ms(100), ms(202)}, {ms(1000), ms(2002)}} {
		p := r.Phases[i]
		if p.Name != fmt.Sprintf("rate-%d", i) || p.Gangs != 2 || p.Bound != 2 || p.QuorumBound.Median != want.latency || p.FirstBind.Max != want.latency ||
			!near(p.Rate, 2/want.whole.Seconds()) || p.Late {
			t.Errorf("%+v; want %+v", p, want)
		}
	}
	if r.Gangs.Gangs != 4 {
		t.Errorf("all together: %+v", r.Gangs)
	}
	if one := Of(tapeOf(t, historytest.New().Nodes(1).Mark(MarkPhase+"load").Pod("p", "").Bind("p", "node-0")), Options{}); one.Phases != nil {
		t.Errorf("one phase is the run: %+v", one.Phases)
	}
}

// What a phase leaves behind is still its own.
func TestAPhaseOutlastsTheNextMark(t *testing.T) {
	b := historytest.New().Nodes(1).Mark(MarkPhase+"a").Pod("early", "").Mark(MarkPhase+"b").Pod("late", "").Bind("late", "node-0").Wait(ms(1000)).Bind("early", "node-0")
	got := phases(tapeOf(t, b), Options{})
	if len(got) != 2 || got[0].Bound != 1 || !near(got[0].Rate, 1/1.004) || got[1].Bound != 1 || !near(got[1].Rate, 1000) {
		t.Errorf("%+v", got)
	}
}

// A creator that is late at a later step says so of that step; late at the first, there is nothing to compare with.
func TestLatePhases(t *testing.T) {
	for _, tc := range []struct {
		late  string
		valid bool
	}{{"rate-1", true}, {"rate-0", false}} {
		o := Options{Plan: Plan{Pods: 4, Gangs: 4, Arrival: OpenLoop}, Lateness: map[string][]time.Duration{"rate-0": {0}, "rate-1": {0}}}
		o.Lateness[tc.late] = []time.Duration{ms(101)}
		r := Of(tapeOf(t, staircase(), probes(ms(1), 9)...), o)
		if r.Validity.Valid != tc.valid || !r.Validity.Has(CreatorBound) || r.Phases[0].Late == tc.valid || r.Phases[1].Late != tc.valid {
			t.Errorf("late at %s: %+v, %+v", tc.late, r.Validity, r.Phases)
		}
	}
}
