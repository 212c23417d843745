package measure

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"muster/suites/history/historytest"
)

// The story: begin at 1 ms, a node at 2, pods at 3…7; then binds at 1007, 1008, 2008, 5008 and 5009 ms.
func fiveBinds() *historytest.Builder {
	return historytest.New().Nodes(1).Pods("p", 5).Wait(ms(999)).
		Bind("p-0", "node-0").Bind("p-1", "node-0").Wait(ms(999)).Bind("p-2", "node-0").Wait(ms(2999)).
		Bind("p-3", "node-0").Bind("p-4", "node-0")
}

func TestThroughput(t *testing.T) {
	got := throughput(tapeOf(t, fiveBinds().Wait(time.Minute)))
	if got.Bound != 5 || got.BindWindow != ms(4002) || got.WholeRun != ms(5006) {
		t.Fatalf("bound %d in %v, whole run %v", got.Bound, got.BindWindow, got.WholeRun)
	}
	// Four binds after the first in 4.002 s; five in 5.006 s.
	if !near(got.InWindow, 4/4.002) || !near(got.Overall, 5/5.006) || got.Rate != got.Overall || got.Start != 0 {
		t.Errorf("in the window %v, overall %v; rate %v, start %v", got.InWindow, got.Overall, got.Rate, got.Start)
	}
	// Seconds since 0.003: binds at 1.004, 1.005, 2.005, 5.005, 5.006. The minute after them is not there.
	if want := []int{0, 2, 1, 0, 0, 2}; !slices.Equal(got.BySecond, want) {
		t.Errorf("by second %v; want %v", got.BySecond, want)
	}
	if want := (Point{ms(5006), 5}); got.Curve[len(got.Curve)-1] != want || len(got.Curve) != 5 {
		t.Errorf("curve %v", got.Curve)
	}
}

func TestThroughputCountsTheSchedulersBindsAlone(t *testing.T) {
	b := historytest.New().Nodes(1).
		Pod("mine", "").Pod("driver", "").Pod("foreign", "", historytest.For("other")).Pod("born", "", historytest.Placed("node-0")).
		DriverBind("driver", "node-0").Bind("foreign", "node-0").Bind("mine", "node-0")
	if got := throughput(tapeOf(t, b)); got.Bound != 1 || got.BindWindow != 0 || got.InWindow != 0 {
		t.Errorf("%+v", got)
	}
	if got := throughput(tapeOf(t, historytest.New().Nodes(1).Pods("p", 3))); got.Bound != 0 || got.BySecond != nil || got.Curve != nil {
		t.Errorf("nothing was bound, yet %+v", got)
	}
}

// A scheduler that was held back is not slow for it; one that was restarted in the middle is.
func TestThroughputBeginsWhenTheSchedulerIsLetGo(t *testing.T) {
	b := historytest.New().Nodes(1).StopScheduler().Pods("p", 2). // 2…5 ms
									Wait(time.Hour).StartScheduler().Wait(ms(999)).Bind("p-0", "node-0").
									StopScheduler().Wait(ms(2997)).StartScheduler().Bind("p-1", "node-0")
	got := throughput(tapeOf(t, b))
	if got.WholeRun != ms(4000) || got.BindWindow != ms(3000) {
		t.Errorf("whole run %v, window %v; want 4 s and 3 s", got.WholeRun, got.BindWindow)
	}
	// The start is told apart, and the rate that stands for the run is that of the window.
	if got.Start != ms(1000) || !near(got.Rate, 1.0/3) || !near(got.Overall, 0.5) {
		t.Errorf("start %v, rate %v of %v in the window and %v overall", got.Start, got.Rate, got.InWindow, got.Overall)
	}
}

// Trailing zero seconds: waiting longer after the last bind changes no number.
func TestThroughputIgnoresWhatComesAfterTheLastBind(t *testing.T) {
	short, long := throughput(tapeOf(t, fiveBinds())), throughput(tapeOf(t, fiveBinds().Wait(time.Hour).Mark("idle")))
	if !slices.Equal(short.BySecond, long.BySecond) || short.Overall != long.Overall {
		t.Errorf("an idle hour turned %+v into %+v", short, long)
	}
}

func TestSeriesAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gen := rapid.Map(rapid.Int64Range(0, int64(20*time.Second)), func(n int64) time.Duration { return time.Duration(n) })
		binds := rapid.SliceOfN(gen, 1, 2000).Draw(t, "binds")
		slices.Sort(binds)
		series := bySecond(binds)
		sum := 0
		for _, n := range series {
			sum += n
		}
		if sum != len(binds) || series[len(series)-1] == 0 {
			t.Fatalf("%d binds became %v", len(binds), series)
		}
		c := curve(binds)
		if len(c) > maxCurve+1 || c[len(c)-1].Bound != len(binds) {
			t.Fatalf("a curve of %d points, the last %v, of %d binds", len(c), c[len(c)-1], len(binds))
		}
		for i, p := range c {
			if binds[p.Bound-1] != p.T || i > 0 && (p.Bound <= c[i-1].Bound && i < len(c)-1 || p.T < c[i-1].T) {
				t.Fatalf("point %d is %v", i, p)
			}
		}
	})
}

// Who writes the claims of everybody before it binds anybody works from the first of them on.
func TestClaimsBeforeBindsAreNoStart(t *testing.T) {
	begun := func() *historytest.Builder {
		return historytest.New().Nodes(1).StopScheduler().Claim("a").Claim("b").Pods("p", 2).Wait(time.Hour).StartScheduler().Wait(ms(999))
	}
	// The first claim is allocated at 1 s, the pods are bound at 4.001 and 4.002 s.
	got := throughput(tapeOf(t, begun().Allocate("a", "p/x").Wait(ms(2000)).Allocate("b", "p/y").Wait(ms(999)).BindAll("node-0", "p-0", "p-1")))
	if got.Start != ms(1000) || !near(got.Rate, 2/3.002) || !near(got.InWindow, 1/0.001) {
		t.Errorf("start %v, rate %v, %v in the window", got.Start, got.Rate, got.InWindow)
	}
	// After the first bind it changes nothing.
	got = throughput(tapeOf(t, begun().Bind("p-0", "node-0").Allocate("a", "p/x").Wait(ms(999)).Bind("p-1", "node-0")))
	if got.Start != ms(1000) || got.Rate != got.InWindow {
		t.Errorf("start %v, rate %v, %v in the window", got.Start, got.Rate, got.InWindow)
	}
}
