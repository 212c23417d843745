package scenario

import (
	"errors"
	"math"
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

func TestSizesThatMakeNoSense(t *testing.T) {
	tests := []struct {
		name string
		size Size
		says string
	}{
		{"gangs-of-3", Size{Nodes: -1}, "-1 nodes"},
		{"gangs-of-3", Size{Scale: -1}, "scale -1"},
		{"gangs-of-3", Size{Scale: math.NaN()}, "NaN"},
		{"gangs-of-3", Size{Scale: 1e300}, "would have"},
		{"preemption-5000", Size{Nodes: 1_000_001}, "1000001 nodes"},
		{"gangs-of-3", Size{Nodes: 20}, "take more nodes, or a smaller scale"},
		{"gangs-of-256", Size{Nodes: 4}, "its 256 pods ask for"},
		{"tenk-1x10000", Size{Nodes: 100}, "take more nodes"},
		{"perfect-fit", Size{Nodes: 100}, "a multiple of 8 nodes"},
		{"fragmented", Size{Nodes: 501}, "a multiple of 2 nodes"},
		{"rack-gangs-of-1000", Size{Nodes: 10}, "take more nodes"},
		{"preemption-100", Size{Scale: 0.5}, "a scale of 0.5 changes nothing that preemption-100 measures"},
		{"tenk-1x10000", Size{Nodes: 1000, Scale: 2}, "changes nothing"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			s, err := Named(tc.name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.At(tc.size); !errors.Is(err, ErrSize) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%+v: %v; want …%s…", tc.size, err, tc.says)
			}
		})
	}
}

// Whether a scale has an effect is what the data say, and a scale that has none is refused.
func TestScales(t *testing.T) {
	for _, s := range all(t) {
		one, err := s.At(Size{})
		if err != nil {
			t.Fatal(err)
		}
		half, err := s.At(Size{Scale: 0.5})
		if !s.Scales() {
			if !errors.Is(err, ErrSize) {
				t.Errorf("%s does not scale, and was given half a scale: %v", s.Name, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		a, b := one.Counts(), half.Counts()
		if a.Pods-a.Background <= b.Pods-b.Background {
			t.Errorf("%s: %+v is measured at half the scale of %+v", s.Name, b, a)
		}
	}
}

func TestChecksOfOneGroup(t *testing.T) {
	const frame = `
- name: x
  about: y
  figure: throughput
  nodes: 10
  node: {cpu: "4", gpus: 2, nodesPerRack: NPR}
  phases:
  - name: load
    measured: true
    groups:
    - {name: g, count: 1, GROUP}
`
	tests := []struct{ name, group, says string }{
		{"fits", "pods: [{count: 20, gpus: 1}]", ""},
		{"a pod larger than a node", "pods: [{count: 1, gpus: 3}]", "a pod asks for 3 of gpus where a node has 2"},
		{"a gang larger than the cluster", "pods: [{count: 21, gpus: 1}]", "its 21 pods ask for 21 of gpus"},
		{"infeasible and so meant", "unbound: true, pods: [{count: 21, gpus: 1}]", ""},
		{"infeasible for one pod", "unbound: true, pods: [{count: 1, gpus: 1}, {count: 1, gpus: 3}]", ""},
		{"meant to be infeasible, and is not", "unbound: true, pods: [{count: 20, gpus: 1}]", "have room for it"},
		{"apart", "apart: true, pods: [{count: 10}]", ""},
		{"apart on too few", "apart: true, pods: [{count: 11}]", "need a node each"},
		{"apart, and more groups than ports", "apart: true, tree: [101, 100], pods: [{count: 1}]", "need a host port each"},
		{"apart on too few, and so meant", "apart: true, unbound: true, pods: [{count: 11}]", ""},
		{"in a rack", "topology: rack, pods: [{count: 4, gpus: 1}]", ""},
		{"too large for a rack", "topology: rack, pods: [{count: 5, gpus: 1}]", "more gpus than a rack has"},
		{"in a zone without zones", "topology: zone, pods: [{count: 5, gpus: 1}]", "zone"},
		{"slots", "pods: [{count: 1101}]", "of pods"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			raw := strings.Replace(strings.Replace(frame, "GROUP", tc.group, 1), "NPR", "2", 1)
			ss, err := Parse([]byte(raw))
			if err != nil {
				t.Fatal(err)
			}
			_, err = ss[0].At(Size{})
			if tc.says == "" && err != nil || tc.says != "" && (err == nil || !strings.Contains(err.Error(), tc.says)) {
				t.Errorf("%v; want %q", err, tc.says)
			}
		})
	}
	ss, err := Parse([]byte(strings.Replace(strings.Replace(frame, "GROUP", "topology: rack, pods: [{count: 1}]", 1), "NPR", "0", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ss[0].At(Size{}); err == nil || !strings.Contains(err.Error(), "have none") {
		t.Errorf("a rack without racks: %v", err)
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
