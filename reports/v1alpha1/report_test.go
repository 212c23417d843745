package v1alpha1_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"muster/reports/internal/sample"
	"muster/reports/v1alpha1"
	"muster/suites"
)

func TestSchemaRefuses(t *testing.T) {
	if err := v1alpha1.Validate(encode(t, sample.Report())); err != nil {
		t.Fatalf("the sample does not validate: %v", err)
	}
	for _, tt := range []struct {
		name  string
		spoil func(*v1alpha1.ConformanceReport)
		want  string
	}{
		{"another version", func(r *v1alpha1.ConformanceReport) { r.APIVersion = "muster/v1" }, "apiVersion"},
		{"an unknown verdict", func(r *v1alpha1.ConformanceReport) { r.Requirements[0].Verdict = "Fine" }, "verdict"},
		{"a MAY that passed", func(r *v1alpha1.ConformanceReport) { r.Requirements[1].Verdict = suites.Pass }, "verdict"},
		{"a MUST that was observed", func(r *v1alpha1.ConformanceReport) { r.Requirements[0].Verdict = suites.Observed }, "verdict"},
		{"a digest that is none", func(r *v1alpha1.ConformanceReport) { r.Expected.Digest = "abc" }, "digest"},
		{"a negative count", func(r *v1alpha1.ConformanceReport) { r.Summary.Counts.Passed = -1 }, "passed"},
		{"nobody judged", func(r *v1alpha1.ConformanceReport) { r.Subject.Scheduler = "" }, "scheduler"},
		{"a repeated ID", func(r *v1alpha1.ConformanceReport) { r.Executed.IDs = []string{"GANG-001", "GANG-001"} }, "ids"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := sample.Report()
			tt.spoil(r)
			if err := v1alpha1.Validate(encode(t, r)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error about %s", err, tt.want)
			}
		})
	}
}

// Every field of the type stands in the schema: additionalProperties is false, so a report with every field set
// validates only if it does. The sample must therefore leave no field out.
func TestSampleLeavesNoFieldOut(t *testing.T) {
	var absent []string
	walk(reflect.ValueOf(*sample.Report()), "report", map[string]bool{}, func(path string) { absent = append(absent, path) })
	set := map[string]bool{}
	walk(reflect.ValueOf(*sample.Report()), "report", set, func(string) {})
	for _, path := range absent {
		if !set[path] {
			t.Errorf("%s is zero everywhere in the sample", path)
		}
	}
}

// walk visits the fields of structs and the elements of slices; set collects the fields that are set somewhere.
func walk(v reflect.Value, path string, set map[string]bool, zero func(string)) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type().PkgPath() == "time" {
			return
		}
		for i := range v.NumField() {
			p := path + "." + v.Type().Field(i).Name
			if v.Field(i).IsZero() {
				zero(p)
				continue
			}
			set[p] = true
			walk(v.Field(i), p, set, zero)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), path, set, zero)
		}
	}
}

func encode(t *testing.T, r *v1alpha1.ConformanceReport) []byte {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	for _, text := range []string{"{", "kind: ConformanceReport\n", "[1, 2]\n"} {
		if _, err := v1alpha1.Parse([]byte(text)); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}

func TestCompare(t *testing.T) {
	with := func(v suites.Verdict) *v1alpha1.ConformanceReport {
		r := &v1alpha1.ConformanceReport{}
		if v != "" {
			level := suites.Must
			if v == suites.Observed {
				level = suites.May
			}
			r.Requirements = []v1alpha1.Requirement{{ID: "GANG-001", Level: level, Verdict: v}}
		}
		return r
	}
	for _, tt := range []struct {
		old, new           suites.Verdict
		differences, worse bool
	}{
		{suites.Pass, suites.Pass, false, false},
		{suites.Pass, suites.Fail, true, true},
		{suites.Fail, suites.Pass, true, false},
		{suites.Pass, suites.Inconclusive, true, true},
		{suites.Pass, suites.Skipped, true, true},
		{suites.Fail, suites.Error, true, false},
		{suites.Pass, "", true, false},
		{suites.Skipped, "", true, false},
		{"", suites.Fail, true, false},
		{"", suites.Pass, true, false},
		{suites.Observed, suites.Observed, false, false},
	} {
		c := v1alpha1.Compare(with(tt.old), with(tt.new))
		if (len(c.Differences) > 0) != tt.differences || c.Worse() != tt.worse {
			t.Errorf("%q to %q: %+v, want differences %v worse %v", tt.old, tt.new, c, tt.differences, tt.worse)
		}
	}
	one, two := with(suites.Observed), with(suites.Observed)
	one.Requirements[0].Value, two.Requirements[0].Value = "3 of 5", "4 of 5"
	if c := v1alpha1.Compare(one, two); len(c.Differences) != 1 || c.Worse() || c.Differences[0].Reason != "3 of 5 → 4 of 5" {
		t.Errorf("values: %+v", c)
	}
	known := with(suites.Fail)
	known.Requirements[0].Known = "listed"
	if c := v1alpha1.Compare(known, with(suites.Fail)); !c.Worse() || c.Differences[0].From != "Fail (known)" {
		t.Errorf("no longer known: %+v", c)
	}
	if c := v1alpha1.Compare(with(""), known); c.Worse() || c.OnlyNew != 1 || c.Both != 0 {
		t.Errorf("only in the new one: %+v", c)
	}
	a, b := sample.Report(), sample.Report()
	b.Expected.Digest = "sha256:other"
	if c := v1alpha1.Compare(a, b); c.SameQuestions || len(c.Differences) != 0 {
		t.Errorf("other questions: %+v", c)
	}
}
