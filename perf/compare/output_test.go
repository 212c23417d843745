package compare

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"muster/perf/measure"
)

func TestUnequal(t *testing.T) {
	base := func() measure.Fairness {
		return measure.Fairness{Client: measure.Client{QPS: 5000, Burst: 5000}, Cores: map[string]float64{"scheduler": 1, "kube-apiserver": 2}, LagSource: "probe"}
	}
	tests := []struct {
		name   string
		change func(*measure.Fairness)
		says   string
	}{
		{"equal but for what is measured", func(f *measure.Fairness) { f.Cores["scheduler"], f.Achieved = 9, 7 }, ""},
		{"limits known of one", func(f *measure.Fairness) { f.Client = measure.Client{} }, "b has unknown ones"},
		{"client limits", func(f *measure.Fairness) { f.Client.QPS = 50 }, "client limits differ"},
		{"webhooks on one side", func(f *measure.Fairness) { f.Webhooks = 12 }, "webhooks"},
		{"monitoring on one side", func(f *measure.Fairness) { f.Cores["prometheus"] = 0.3 }, "process prometheus ran beside b and not beside a"},
		{"a process missing", func(f *measure.Fairness) { delete(f.Cores, "kube-apiserver") }, "process kube-apiserver ran beside a and not beside b"},
		{"offered rates", func(f *measure.Fairness) { f.Offered = 100 }, "offered rates"},
		{"another observer", func(f *measure.Fairness) { f.LagSource = "creations" }, "watch lag"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			other := base()
			tc.change(&other)
			got := Unequal("a", "b", base(), other)
			if tc.says == "" && len(got) != 0 || tc.says != "" && (len(got) != 1 || !strings.Contains(got[0], tc.says)) {
				t.Errorf("%v; want %q", got, tc.says)
			}
		})
	}
}

// Two unknowns are not equal.
func TestUnknownLimitsAreNotEqual(t *testing.T) {
	if got := Unequal("a", "b", measure.Fairness{}, measure.Fairness{}); len(got) != 1 || !strings.Contains(got[0], "of a and b are not known: say with --exec-client-qps") {
		t.Errorf("%q", got)
	}
	none := measure.Fairness{Client: measure.Client{QPS: -1}}
	if got := Unequal("a", "b", none, none); len(got) != 0 {
		t.Errorf("without limits on both sides: %q", got)
	}
	runs := turns(12, func(Slot, int) float64 { return 5 })
	for i := range runs {
		runs[i].Fairness = &measure.Fairness{}
	}
	if v := Gate(runs, "a", "b", Options{}); v.Outcome != Undecidable || !strings.Contains(v.Reason, "not known") {
		t.Errorf("%s: %s", v.Outcome, v.Reason)
	}
}

// A gate does not even look at the figures of unequal sides, in whichever run they differ.
func TestGateRefusesUnequalSides(t *testing.T) {
	for _, odd := range []int{-1, 0, 1, 7, 23} {
		runs := turns(12, func(Slot, int) float64 { return 5 })
		for i := range runs {
			f := measure.Fairness{Client: measure.Client{QPS: 5000, Burst: 5000}}
			if i == odd {
				f.Webhooks = 3
			}
			runs[i].Fairness = &f
		}
		// The ceiling is no side of the gate.
		runs = append(runs, Run{Slot: Slot{Side: "ceiling"}, Value: 9, Shape: "other", Fairness: &measure.Fairness{Offered: 1}})
		v := Gate(runs, "a", "b", Options{})
		if odd < 0 && v.Outcome != Pass || odd >= 0 && (v.Outcome != Undecidable || !strings.Contains(v.Reason, "same conditions: admission webhooks")) {
			t.Errorf("run %d: %s: %s", odd, v.Outcome, v.Reason)
		}
	}
}

func threeSides() []Run {
	figures := map[string][]float64{"kube-scheduler": {70, 73.1, 75}, "reference": {280, 290, 300}, "ceiling": {300, 308, 310}}
	var out []Run
	for _, s := range Interleave(3, "kube-scheduler", "reference", "ceiling") {
		out = append(out, Run{Slot: s, Value: figures[s.Side][2*s.Block+s.Half], Shape: "x"})
	}
	return out
}

func TestLine(t *testing.T) {
	got := Line("gangs-of-8", 5000, "pods/s", threeSides(), "kube-scheduler", "reference", "ceiling")
	want := "gangs-of-8 nodes=5000 a=73.1 pods/s b=290 pods/s ceiling=308 pods/s a/ceiling=0.2"
	if !strings.HasPrefix(got, want) || !strings.Contains(got, " b/ceiling=0.9") || !strings.Contains(got, " b/a=3.9") || strings.Contains(got, "\n") {
		t.Errorf("%s", got)
	}
	if got := Line("x", 1, "s", nil, "a", "b", "c"); got != "x nodes=1 a=n/a b=n/a ceiling=n/a a/ceiling=n/a b/ceiling=n/a b/a=n/a" {
		t.Errorf("without runs: %s", got)
	}
	if got := Line("x", 1, "s", threeSides()[:3], "", "reference", ""); got != "x nodes=1 b=280 s" {
		t.Errorf("one side: %s", got)
	}
	if got := Line("x", 1, "s", threeSides()[:3], "kube-scheduler", "reference", ""); got != "x nodes=1 a=70 s b=280 s b/a=4" {
		t.Errorf("one run a side: %s", got)
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{73.14: "73.1", 0.94216: "0.942", 3: "3", 12345.6: "12346", 0.000012345: "0.0000123", 999.9: "1000"} {
		if got := number(v); got != want {
			t.Errorf("%v is written %s; want %s", v, got, want)
		}
	}
}

func TestSummarise(t *testing.T) {
	runs := threeSides()
	runs[0].Problems = []string{"creator-bound"}
	s, ok := Summarise(runs, "kube-scheduler")
	if !ok || s.N != 2 || s.Low < 73.1 || s.High > 75 || s.CV <= 0 || s.Confidence >= 0.95 {
		t.Errorf("%+v", s)
	}
	if s, ok := Summarise(runs[:3], "reference"); !ok || s.N != 1 || s.Low != 280 || s.High != 280 || s.Confidence != 0 {
		t.Errorf("one run: %+v", s)
	}
	if _, ok := Summarise(runs, "nobody"); ok {
		t.Error("a side without runs has a summary")
	}
	many := turns(20, func(_ Slot, i int) float64 { return float64(100 + i) })
	if s, _ := Summarise(many, "a"); s.Confidence < 0.95 || s.Low >= s.Median || s.High <= s.Median {
		t.Errorf("twenty runs: %+v", s)
	}
}

// What is written is what benchstat's own reader reads.
func TestWriteBench(t *testing.T) {
	records := []Record{
		{Side: "b", Scenario: "gangs-of-8", Nodes: 500, Values: []Value{{"pods/s", 290, true}, {"gang-start-sec", 0.25, false}}},
		{Side: "a", Scenario: "gangs-of-8", Nodes: 500, Config: map[string]string{"goos": "linux"}, Values: []Value{{"pods/s", 73.5, true}, {"gang-start-sec", math.NaN(), false}}},
		{Side: "a", Scenario: "odd name/x", Nodes: 5, Values: []Value{{"pods/s", 0, true}}},
		{Side: "a", Scenario: "nothing", Nodes: 5, Values: []Value{{"pods/s", math.NaN(), true}}},
	}
	var out bytes.Buffer
	if err := WriteBench(&out, records); err != nil {
		t.Fatal(err)
	}
	r := benchfmt.NewReader(&out, "bench")
	type line struct{ name, side string }
	var lines []line
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Errorf("%v", rec)
		case *benchfmt.Result:
			lines = append(lines, line{string(rec.Name), rec.GetConfig("side")})
			if v, ok := rec.Value("pods/s"); !ok || rec.GetConfig("side") == "b" && v != 290 {
				t.Errorf("%s: %v, %v", rec.Name, v, ok)
			}
			if _, ok := rec.Value("gang-start-sec"); ok != (rec.GetConfig("side") == "b") {
				t.Errorf("%s: a latency: %v", rec.Name, ok)
			}
		}
	}
	want := []line{{"Perf/scenario=gangs-of-8/nodes=500", "a"}, {"Perf/scenario=odd_name_x/nodes=5", "a"}, {"Perf/scenario=gangs-of-8/nodes=500", "b"}}
	if r.Err() != nil || len(lines) != 3 || lines[0] != want[0] || lines[1] != want[1] || lines[2] != want[2] {
		t.Errorf("%v (%v)", lines, r.Err())
	}
	if m := r.Units().Get("pods/s", "better"); m == nil || m.Value != "higher" {
		t.Errorf("pods/s: %+v", m)
	}
	if m := r.Units().Get("gang-start-sec", "better"); m == nil || m.Value != "lower" {
		t.Errorf("gang-start-sec: %+v", m)
	}
	if err := WriteBench(&out, []Record{{Scenario: "x", Values: []Value{{"pods per s", 1, true}}}}); err == nil {
		t.Error("a unit of three words")
	}
}
