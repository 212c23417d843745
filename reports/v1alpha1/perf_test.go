package v1alpha1_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"muster/reports/internal/sample"
	"muster/reports/v1alpha1"
)

func TestPerfSchemaRefuses(t *testing.T) {
	check := func(r *v1alpha1.PerfReport) error {
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return v1alpha1.ValidatePerf(b)
	}
	if err := check(sample.Perf()); err != nil {
		t.Fatalf("the sample does not validate: %v", err)
	}
	zero := 0.0
	for _, tt := range []struct {
		name  string
		spoil func(*v1alpha1.PerfReport)
		want  string
	}{
		{"another kind", func(r *v1alpha1.PerfReport) { r.Kind = v1alpha1.Kind }, "kind"},
		{"a figure of zero", func(r *v1alpha1.PerfReport) { r.Scenarios[0].Runs[0].Figure = &zero }, "figure"},
		{"a median of zero", func(r *v1alpha1.PerfReport) { r.Scenarios[0].Results[0].Median = &zero }, "median"},
		{"a median without an interval", func(r *v1alpha1.PerfReport) { r.Scenarios[0].Results[0].Low = nil }, "low"},
		{"invalid for no reason", func(r *v1alpha1.PerfReport) { r.Scenarios[0].Runs[0].Valid = false }, "problems"},
		{"valid with a problem", func(r *v1alpha1.PerfReport) {
			r.Scenarios[0].Runs[0].Problems = []v1alpha1.PerfProblem{{Kind: "gaps", Message: "there are gaps"}}
		}, "problems"},
		{"a unit of two words", func(r *v1alpha1.PerfReport) { r.Scenarios[0].Runs[0].Values[0].Name = "pods a second" }, "name"},
		{"no command", func(r *v1alpha1.PerfReport) { r.Provenance.Command = "" }, "command"},
		{"no machine", func(r *v1alpha1.PerfReport) { r.Provenance.Machine.CPUs = 0 }, "cpus"},
		{"no sides", func(r *v1alpha1.PerfReport) { r.Sides = []v1alpha1.PerfSide{} }, "sides"},
		{"an outcome of its own", func(r *v1alpha1.PerfReport) { r.Gate.Outcome = "perhaps" }, "outcome"},
		{"a gate without a reason", func(r *v1alpha1.PerfReport) { r.Gate.Reason = "" }, "reason"},
		{"passed without numbers", func(r *v1alpha1.PerfReport) { r.Gate.Outcome, r.Gate.Effect = "pass", nil }, "effect"},
		{"a third half", func(r *v1alpha1.PerfReport) { r.Scenarios[0].Runs[0].Half = 2 }, "half"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := sample.Perf()
			tt.spoil(r)
			if err := check(r); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error about %s", err, tt.want)
			}
		})
	}
}

func TestPerfSampleLeavesNoFieldOut(t *testing.T) {
	set := map[string]bool{}
	var absent []string
	walk(reflect.ValueOf(*sample.Perf()), "perf", set, func(path string) { absent = append(absent, path) })
	for _, path := range absent {
		if !set[path] {
			t.Errorf("%s is zero everywhere in the sample", path)
		}
	}
}

func TestParsePerfSaysWhatIsWrong(t *testing.T) {
	for _, text := range []string{"{", "kind: PerfReport\n", "[1, 2]\n", "apiVersion: muster/v1alpha1\nkind: ConformanceReport\n"} {
		if _, err := v1alpha1.ParsePerf([]byte(text)); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}
