package scenario

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"muster/perf/measure"
)

func at(t *testing.T, name string, size Size) *Sized {
	t.Helper()
	s, err := Named(name)
	if err != nil {
		t.Fatal(err)
	}
	sized, err := s.At(size)
	if err != nil {
		t.Fatal(err)
	}
	return sized
}

func TestSizes(t *testing.T) {
	tests := []struct {
		name string
		size Size
		want Counts
	}{
		{"gangs-of-3", Size{}, Counts{Pods: 3000, Groups: 1000}},
		{"gangs-of-3", Size{Nodes: 500}, Counts{Pods: 3000, Groups: 1000}},
		{"gangs-of-3", Size{Scale: 0.1}, Counts{Pods: 300, Groups: 100}},
		{"gangs-of-3", Size{Scale: 0.00001}, Counts{Pods: 3, Groups: 1}},
		{"gangs-of-3", Size{Scale: 2}, Counts{Pods: 6000, Groups: 2000}},
		{"singles", Size{}, Counts{Pods: 3000}},
		{"composites", Size{}, Counts{Pods: 2560, Groups: 320, Composites: 120}},
		{"preemption-100", Size{Nodes: 50}, Counts{Pods: 550, Groups: 1, Background: 500}},
		{"preemption-100", Size{Nodes: 1000}, Counts{Pods: 11000, Groups: 1, Background: 10000}},
		{"preemption-100-by-ten", Size{Nodes: 1000}, Counts{Pods: 11000, Groups: 100, Background: 10000}},
		{"infeasible-gang", Size{}, Counts{Pods: 1501, Groups: 126, Unbound: 501}},
		{"infeasible-gang", Size{Nodes: 100}, Counts{Pods: 301, Groups: 26, Unbound: 101}},
		{"power-of-two", Size{}, Counts{Pods: 1023, Groups: 10}},
		{"power-of-two", Size{Nodes: 256}, Counts{Pods: 255, Groups: 8}},
		{"devices-gangs-of-8", Size{}, Counts{Pods: 4000, Groups: 500, Devices: 4000}},
		{"devices-gangs-of-8", Size{Nodes: 5000, Scale: 0.05}, Counts{Pods: 2000, Groups: 250, Devices: 2000}},
		{"no-devices-gangs-of-8", Size{Nodes: 5000, Scale: 0.05}, Counts{Pods: 2000, Groups: 250}},
		{"tenk-1x10000", Size{Scale: 1}, Counts{Pods: 10000, Groups: 1}},
		{"starvation", Size{Nodes: 1000, Scale: 0.1}, Counts{Pods: 1050, Groups: 1, Unbound: 1000, Background: 1000}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if got := at(t, tc.name, tc.size).Counts(); got != tc.want {
				t.Errorf("%+v: %+v; want %+v", tc.size, got, tc.want)
			}
		})
	}
}

func TestPlan(t *testing.T) {
	for name, want := range map[string]measure.Plan{
		"gangs-of-3":      {Pods: 3000, Gangs: 1000, Arrival: measure.Burst},
		"gangs-of-8":      {Pods: 2000, Gangs: 250, Arrival: measure.Backlog},
		"infeasible-gang": {Pods: 1501, Gangs: 126, Unbound: 501, Arrival: measure.Burst},
		// Five rates of half a minute each: 18,600 pods in 150 s.
		"steady-gangs-of-8": {Pods: 18600, Gangs: 2325, Arrival: measure.OpenLoop, Rate: 124},
		// Each of the three waves holds all of 256 × 8 GPUs.
		"perfect-fit": {Pods: 1920, Gangs: 384, Arrival: measure.Burst, Optima: []int64{2048, 2048, 2048}},
	} {
		if got := at(t, name, Size{}).Plan(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v; want %+v", name, got, want)
		}
	}
}

// TestEveryScenarioAtEverySize: a size is either refused or gives a plan that adds up, fits the memory it says, and keeps
// every promise of its data.
func TestEveryScenarioAtEverySize(t *testing.T) {
	ss := all(t)
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(ss).Draw(t, "scenario")
		size := Size{Nodes: rapid.IntRange(0, 12000).Draw(t, "nodes"), Scale: rapid.Float64Range(0, 3).Draw(t, "scale")}
		sized, err := s.At(size)
		if err != nil {
			if !errors.Is(err, ErrSize) {
				t.Fatalf("%v", err)
			}
			return
		}
		c, plan := sized.Counts(), sized.Plan()
		if plan.Pods != c.Pods || plan.Gangs != c.Groups || c.Pods <= 0 || c.Unbound >= c.Pods || c.Background >= c.Pods || plan.Arrival == "" {
			t.Fatalf("%+v, %+v", c, plan)
		}
		if sized.Memory() <= DefaultCosts.Base || sized.CheckMemory(sized.Memory()) != nil || !errors.Is(sized.CheckMemory(sized.Memory()-1), ErrSize) {
			t.Fatalf("memory %d", sized.Memory())
		}
		for _, p := range sized.Phases {
			for _, g := range p.Groups {
				if err := g.validate(); err != nil {
					t.Fatalf("%s: %v", g.Name, err)
				}
			}
		}
		again, err := s.At(size)
		if err != nil || again.Shape() != sized.Shape() || again.Counts() != c {
			t.Fatalf("the second time: %+v, %v", again, err)
		}
	})
}

// The scenario as read is never changed by sizing it.
func TestSizingChangesNothing(t *testing.T) {
	s, err := Named("preemption-100")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1000, 50} {
		if _, err := s.At(Size{Nodes: n}); err != nil {
			t.Fatal(err)
		}
	}
	sized, err := s.At(Size{})
	if err != nil || sized.Counts().Pods != 1100 || sized.Node.Count != 100 || s.Node.Count != 0 {
		t.Errorf("%+v, %v", sized, err)
	}
}

// TestOwnSizesFit: every scenario can be run as it stands, and `make perf` can run those it names at 500 nodes.
func TestOwnSizesFit(t *testing.T) {
	for _, s := range all(t) {
		if _, err := s.At(Size{}); err != nil {
			t.Errorf("%v", err)
		}
	}
	for _, name := range []string{"singles", "gangs-of-3", "gangs-of-8", "gangs-of-256", "rack-gangs-of-4", "preemption-100", "infeasible-gang"} {
		at(t, name, Size{Nodes: 500})
	}
}

func TestMemory(t *testing.T) {
	costs := Costs{Base: 1000, Node: 100, Pod: 10, Group: 5, Device: 1}
	for name, want := range map[string]int64{
		"singles":            1000 + 5000*100 + 3000*10,
		"gangs-of-3":         1000 + 5000*100 + 3000*10 + 1000*5,
		"composites":         1000 + 5000*100 + 2560*10 + (320+120)*5,
		"devices-gangs-of-8": 1000 + 500*100 + 4000*10 + 500*5 + 500*8 + 4000,
	} {
		if got := at(t, name, Size{}).MemoryAt(costs); got != want {
			t.Errorf("%s: %d; want %d", name, got, want)
		}
	}
	err := at(t, "preemption-5000", Size{}).CheckMemory(4 << 30)
	if !errors.Is(err, ErrSize) || !strings.Contains(err.Error(), "GiB") {
		t.Errorf("%v", err)
	}
}

func TestEnds(t *testing.T) {
	for name, want := range map[string]bool{"gangs-of-8": false, "preemption-100": false, "perfect-fit": true, "devices-churn": true} {
		if got := at(t, name, Size{}).Ends(); got != want {
			t.Errorf("%s: pods come to an end: %v, want %v", name, got, want)
		}
	}
}
