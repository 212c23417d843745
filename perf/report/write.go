package report

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"muster/reports/v1alpha1"
	"muster/reports/write"
)

// Files that WriteAll leaves in a directory.
const (
	YAMLFile     = "perf.yaml"
	BenchFile    = "perf.txt"
	DataFile     = "perfdata.json"
	MarkdownFile = "perf.md"
)

// WriteAll writes every form of a report into a directory: the report itself, the Go benchmark format, perf-dash's data
// and a page for people.
func WriteAll(dir string, r *v1alpha1.PerfReport) error {
	var errs []error
	for _, f := range []struct {
		name  string
		write func(io.Writer, *v1alpha1.PerfReport) error
	}{{YAMLFile, write.PerfYAML}, {BenchFile, Bench}, {DataFile, write.PerfData}, {MarkdownFile, write.PerfMarkdown}} {
		errs = append(errs, toFile(filepath.Join(dir, f.name), func(w io.Writer) error { return f.write(w, r) }))
	}
	return errors.Join(errs...)
}

func toFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("writing a performance report: %w", err)
	}
	return errors.Join(write(f), f.Close())
}
