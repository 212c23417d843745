package write

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"muster/reports/internal/sample"
	"muster/reports/v1alpha1"
)

type perfWriter = func(io.Writer, *v1alpha1.PerfReport) error

var perfWriters = map[string]perfWriter{"perf.yaml": PerfYAML, "perfdata.json": PerfData, "perf.md": PerfMarkdown}

func TestPerfGolden(t *testing.T) {
	for name, write := range perfWriters {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			if err := write(&got, sample.Perf()); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", name)
			if *update {
				if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("differs from %s (go test ./reports/write -update rewrites it):\n%s", file, got.String())
			}
		})
	}
}

func TestPerfGoldenValidatesAndReadsBack(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "perf.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	back, err := v1alpha1.ParsePerf(data)
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := PerfYAML(&again, back); err != nil || !bytes.Equal(again.Bytes(), data) {
		t.Errorf("reading and writing changes the report (%v)", err)
	}
}

// perf-dash reads a version, and items with data, unit and labels; data are numbers, labels are texts.
func TestPerfDataIsWhatPerfDashReads(t *testing.T) {
	var b bytes.Buffer
	if err := PerfData(&b, sample.Perf()); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Version   string
		DataItems []struct {
			Data   map[string]float64
			Unit   *string
			Labels map[string]string
		}
	}
	d := json.NewDecoder(&b)
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil || got.Version != "v1" || len(got.DataItems) == 0 {
		t.Fatalf("%v: %+v", err, got)
	}
	for _, item := range got.DataItems {
		if len(item.Data) != 4 || item.Unit == nil || item.Labels["Name"] != "gangs-of-8" || item.Labels["Metric"] == "" || item.Labels["Side"] == "" {
			t.Errorf("%+v", item)
		}
	}
}

// An invalid run is no measurement, whatever its figure.
func TestInvalidRunsEnterNothing(t *testing.T) {
	r := sample.Perf()
	for i := range r.Scenarios[0].Runs {
		if run := &r.Scenarios[0].Runs[i]; !run.Valid {
			run.Values[0].Value = 1e6
		}
	}
	for name, write := range perfWriters {
		if name == "perf.yaml" {
			continue // it lists every run
		}
		var b bytes.Buffer
		if err := write(&b, r); err != nil || strings.Contains(b.String(), "1000000") || strings.Contains(b.String(), "1e+06") {
			t.Errorf("%s (%v) shows what an invalid run measured", name, err)
		}
	}
}

func TestPerfWritersReportAFullDisk(t *testing.T) {
	for name, write := range perfWriters {
		if err := write(full{}, sample.Perf()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestSparkline(t *testing.T) {
	for _, tc := range []struct {
		series []int
		width  int
		want   string
	}{
		{nil, 10, ""},
		{[]int{1, 2, 3, 4, 5, 6, 7, 8}, 8, "▂▃▄▅▆▇██"},
		{[]int{8, 0, 8}, 8, "█ █"},
		{[]int{0, 0}, 8, "  "},
		{[]int{1, 3, 8, 8}, 2, "▃█"},
		{[]int{5}, 8, "█"},
	} {
		if have := sparkline(tc.series, tc.width); have != tc.want {
			t.Errorf("%v in %d: %q, want %q", tc.series, tc.width, have, tc.want)
		}
	}
	long := make([]int, 1000)
	for i := range long {
		long[i] = i % 7
	}
	if n := utf8.RuneCountInString(sparkline(long, 40)); n != 40 {
		t.Errorf("a thousand seconds in %d characters", n)
	}
}

func TestDigits(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1.23456: "1.23", 308.04: "308", 12345.6: "12346", 0.000123456: "0.000123", -1234: "-1234"} {
		if have := digits(v); have != want {
			t.Errorf("%v is written as %s, want %s", v, have, want)
		}
	}
}

func TestScenarioThatWasNotReached(t *testing.T) {
	r := sample.Perf()
	r.Scenarios = append(r.Scenarios, v1alpha1.PerfScenario{Name: "singles", About: "One pod.", Nodes: 1, Scale: 1, Pods: 1, Figure: "throughput", Unit: "pods/s"})
	var b bytes.Buffer
	if err := PerfMarkdown(&b, r); err != nil || !strings.Contains(b.String(), "One pod. 1 pod, 0 groups.\n\nNot run.") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// The conditions are those of the run that the median stands for, not of whichever came first.
func TestConditionsAreOfTheTypicalRun(t *testing.T) {
	r := sample.Perf()
	s := &r.Scenarios[0]
	for i := range s.Runs {
		if run := &s.Runs[i]; run.Side == "reference" && run.N == 2 { // 300, which is the median; the first has 310
			f := *run.Fairness
			f.Achieved, f.WebhookCalls = 321, 17
			run.Fairness = &f
		}
	}
	var b bytes.Buffer
	if err := PerfMarkdown(&b, r); err != nil || !strings.Contains(b.String(), "| reference | 5000 | 0 s | 2.1 ms | 17 | 50/s | 321/s |") {
		t.Errorf("%v\n%s", err, b.String())
	}
}
