package control

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"muster/scheduler/engine"
)

// counted are the series of a metric, of a histogram the number of observations and their sum.
func counted(t *testing.T, m *Metrics, name string) map[string]float64 {
	t.Helper()
	families, err := m.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for _, f := range families {
		if f.GetName() != name {
			continue
		}
		for _, series := range f.GetMetric() {
			key := ""
			for _, l := range series.GetLabel() {
				key += l.GetValue()
			}
			if h := series.GetHistogram(); h != nil {
				out["count"], out["sum"] = float64(h.GetSampleCount()), h.GetSampleSum()
			} else {
				out[key] = series.GetCounter().GetValue()
			}
		}
	}
	return out
}

// A group counts once an attempt, however many pods it has, and not while something is missing of it.
func TestAttemptsAtGroupsAreCounted(t *testing.T) {
	group, tree, pod := engine.Root{Kind: engine.KindPodGroup}, engine.Root{Kind: engine.KindComposite}, engine.Root{Kind: engine.KindPod}
	two := make([]engine.Placement, 2)
	for i, tt := range []struct {
		d          engine.Decision
		preempting bool
		want       map[string]float64
	}{
		{engine.Decision{Root: group, Outcome: engine.Placed, Placements: two}, false, map[string]float64{"scheduled": 1}},
		{engine.Decision{Root: tree, Outcome: engine.Placed, Placements: two}, false, map[string]float64{"scheduled": 1}},
		{engine.Decision{Root: group, Outcome: engine.Unschedulable}, false, map[string]float64{"unschedulable": 1}},
		{engine.Decision{Root: tree, Outcome: engine.Unschedulable}, true, map[string]float64{"waiting_on_preemption": 1}},
		{engine.Decision{Root: group, Outcome: engine.Error}, false, map[string]float64{"error": 1}},
		{engine.Decision{Root: group, Outcome: engine.Waiting}, false, map[string]float64{}},
		{engine.Decision{Root: group, Outcome: engine.Idle}, false, map[string]float64{}},
		{engine.Decision{Root: pod, Outcome: engine.Placed, Placements: two[:1]}, false, map[string]float64{}},
		{engine.Decision{Root: pod, Outcome: engine.Unschedulable}, true, map[string]float64{}},
	} {
		m := NewMetrics()
		m.decided(tt.d, tt.preempting)
		if got := counted(t, m, "scheduler_podgroup_schedule_attempts_total"); !maps.Equal(got, tt.want) {
			t.Errorf("%d: %v, want %v", i, got, tt.want)
		}
	}
}

// A gang of which members are missing is looked at once for each that comes, and none of its pods has been tried for that.
func TestPodsThatWaitAreNotTried(t *testing.T) {
	m := NewMetrics()
	left := make([]engine.Leftover, 3)
	m.attempted(engine.Decision{Outcome: engine.Waiting, Left: left})
	m.attempted(engine.Decision{Outcome: engine.Unschedulable, Left: left})
	m.attempted(engine.Decision{Outcome: engine.Error, Left: left})
	m.attempted(engine.Decision{Outcome: engine.Placed, Placements: make([]engine.Placement, 2), Left: left[:1]})
	want := map[string]float64{"unschedulable": 4, "error": 3, "scheduled": 2}
	if got := counted(t, m, "scheduler_schedule_attempts_total"); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Victims of a single pod and of a group are told apart, as kube-scheduler does.
func TestVictimsAreCountedByWhoPreempts(t *testing.T) {
	for kind, want := range map[engine.Kind]string{
		engine.KindPod: "scheduler_preemption_victims", engine.KindPodGroup: "scheduler_workload_preemption_victims", engine.KindComposite: "scheduler_workload_preemption_victims",
	} {
		m := NewMetrics()
		m.planned(engine.Plan{Root: engine.Root{Kind: kind}, Kind: engine.Evict, Victims: make([]engine.PodRef, 3)}, 0)
		m.planned(engine.Plan{Root: engine.Root{Kind: kind}, Kind: engine.Wait}, 0)
		for _, name := range []string{"scheduler_preemption_victims", "scheduler_workload_preemption_victims"} {
			is := map[string]float64{"count": 0, "sum": 0}
			if name == want {
				is = map[string]float64{"count": 1, "sum": 3}
			}
			if got := counted(t, m, name); !maps.Equal(got, is) {
				t.Errorf("%s for a %s: %v, want %v", name, kind, got, is)
			}
		}
	}
}

// Attempts are counted where they are made: a gang that fits, and one for which there is no room and nobody to evict.
func TestGroupsAreCountedOnTheWay(t *testing.T) {
	inBubble(t, func(w *world) {
		w.node("a", 2)
		w.start()
		w.gang("short", 3)
		w.members("short", 2, 1)
		w.gang("fits", 2)
		w.members("fits", 2, 1)
		w.gang("full", 2)
		w.members("full", 2, 1)
		w.wait(time.Second)
		got := fmt.Sprint(counted(w.t, w.s.opts.Metrics, "scheduler_podgroup_schedule_attempts_total"))
		if want := "map[scheduled:1 unschedulable:1]"; got != want {
			w.t.Errorf("%s, want %s", got, want)
		}
	})
}
