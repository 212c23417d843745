package write

import (
	"bytes"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muster/reports/internal/sample"
	"muster/reports/v1alpha1"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestGolden(t *testing.T) {
	writers := map[string]func(io.Writer, *v1alpha1.ConformanceReport) error{
		"report.yaml": YAML,
		"report.json": JSON,
		"junit.xml":   JUnit,
		"report.md":   Markdown,
		"table.txt": func(w io.Writer, r *v1alpha1.ConformanceReport) error {
			return Table(w, r, TableOptions{})
		},
	}
	for name, write := range writers {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			if err := write(&got, sample.Report()); err != nil {
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

func TestGoldenReportValidates(t *testing.T) {
	for _, name := range []string{"report.yaml", "report.json"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		back, err := v1alpha1.Parse(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var again bytes.Buffer
		if err := YAML(&again, back); err != nil {
			t.Fatal(err)
		}
		if want, _ := os.ReadFile(filepath.Join("testdata", "report.yaml")); !bytes.Equal(again.Bytes(), want) {
			t.Errorf("%s: reading and writing changes the report", name)
		}
	}
}

func TestJUnitIsWellFormedAndCountsOnlyWhatGates(t *testing.T) {
	var b bytes.Buffer
	if err := JUnit(&b, sample.Report()); err != nil {
		t.Fatal(err)
	}
	var got junitSuites
	if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Tests != 9 || got.Failures != 1 || got.Errors != 2 || got.Skipped != 2 {
		t.Errorf("tests %d failures %d errors %d skipped %d", got.Tests, got.Failures, got.Errors, got.Skipped)
	}
}

func TestTableHasNoColourUnlessAsked(t *testing.T) {
	var b bytes.Buffer
	if err := Table(&b, sample.Report(), TableOptions{Verbose: true}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "\x1b[") {
		t.Error("escape sequences in a plain table")
	}
	if !strings.Contains(b.String(), "4 bound") {
		t.Error("a verbose table says nothing about what passed")
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, os.ErrPermission }

func TestWritersReportAFullDisk(t *testing.T) {
	r := sample.Report()
	for name, write := range map[string]func(io.Writer, *v1alpha1.ConformanceReport) error{
		"yaml": YAML, "json": JSON, "junit": JUnit, "markdown": Markdown,
		"table": func(w io.Writer, r *v1alpha1.ConformanceReport) error { return Table(w, r, TableOptions{}) },
	} {
		if err := write(full{}, r); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
