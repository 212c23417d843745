package main

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"muster/perf/compare"
	"muster/reports/v1alpha1"
)

// quick is enough to see that something is said.
var quick = compare.Effort{Gates: 200, Records: 10, RecordGates: 20}

// recorded is a report of n runs a side, head being factor times as fast as base.
func recorded(t *testing.T, n int, factor float64) string {
	t.Helper()
	random := rand.New(rand.NewPCG(4, 4))
	s := v1alpha1.PerfScenario{Name: "gangs-of-8", Nodes: 500, Scale: 1, Figure: "throughput", Unit: "pods/s", HigherIsBetter: true, Results: []v1alpha1.PerfResult{}}
	count := map[string]int{}
	for _, slot := range compare.Interleave(n, "base", "head") {
		v := 100 * math.Exp(0.03*random.NormFloat64())
		if slot.Side == "head" {
			v *= factor
		}
		count[slot.Side]++
		s.Runs = append(s.Runs, v1alpha1.PerfRun{Side: slot.Side, N: count[slot.Side], Block: slot.Block, Half: slot.Half, Began: time.Unix(1e9, 0).UTC(), Valid: true, Figure: &v,
			Values: []v1alpha1.PerfValue{{Name: "solve-sec/1k-pods", Unit: "sec", Value: 1000 / v}}})
	}
	raw, err := json.Marshal(v1alpha1.PerfReport{
		APIVersion: v1alpha1.APIVersion, Kind: v1alpha1.PerfKind, Summary: v1alpha1.PerfSummary{Lines: []string{}},
		Sides:      []v1alpha1.PerfSide{{Name: "base", Kind: "kube-scheduler"}, {Name: "head", Kind: "kube-scheduler"}},
		Scenarios:  []v1alpha1.PerfScenario{s},
		Provenance: v1alpha1.PerfProvenance{Command: "muster perf gate", Started: time.Unix(1e9, 0).UTC(), Machine: v1alpha1.Machine{CPUs: 2}},
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "perf.yaml")
	if err := os.WriteFile(path, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSaysWhatAGateSees(t *testing.T) {
	path := recorded(t, 60, 0.9)
	var first, second bytes.Buffer
	for _, b := range []*bytes.Buffer{&first, &second} {
		if err := run(b, path, "", 12, 0.1, 7, quick); err != nil {
			t.Fatal(err)
		}
	}
	if first.String() != second.String() {
		t.Error("the same seed gives other figures")
	}
	for _, want := range []string{"60 runs a side (30 blocks), head/base = 0.", "detection of a loss of 10 %:", "false alarms of equal sides:", "seed 7"} {
		if !strings.Contains(first.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, first.String())
		}
	}
}

func TestRefusesWhatIsNoStudy(t *testing.T) {
	for name, path := range map[string]string{"too few": recorded(t, 40, 1), "no file": filepath.Join(t.TempDir(), "none.yaml")} {
		if err := run(&bytes.Buffer{}, path, "", 12, 0.1, 1, quick); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

func TestStudiesAnotherFigureOfTheSameRuns(t *testing.T) {
	path := recorded(t, 60, 0.9)
	var out bytes.Buffer
	if err := run(&out, path, "solve-sec/1k-pods", 12, 0.1, 7, quick); err != nil {
		t.Fatal(err)
	}
	// What takes nine tenths of the pace takes ten ninths of the time: lower is better, and the loss is the same one.
	for _, want := range []string{"gangs-of-8 nodes=500 solve-sec/1k-pods: 60 runs a side", "head/base = 1.1", "detection of a loss of 10 %:         100.00 %"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, out.String())
		}
	}
	if err := run(&out, path, "colour", 12, 0.1, 7, quick); err == nil || !strings.Contains(err.Error(), "solve-sec/1k-pods") {
		t.Errorf("a figure that no run has: %v", err)
	}
}
