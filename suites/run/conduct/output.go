package conduct

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"muster/reports/v1alpha1"
	"muster/reports/write"
)

// Names inside the output directory.
const (
	historyDir  = "history"
	failuresDir = "failures"
	reportFile  = "report.yaml"
	junitFile   = "junit.xml"
	markdown    = "report.md"
)

// wantFree is the free space a run asks for before it starts: several times what the histories of all profiles take.
const wantFree = 256 << 20

// prepareOutput makes the directory and finds out now, not after the run, whether it can be written to.
func prepareOutput(dir string) (string, error) {
	if dir == "" {
		dir = freeName(filepath.Join("muster-out", time.Now().Format("20060102-150405")))
	}
	entries, err := os.ReadDir(dir)
	switch {
	case err == nil && holdsAnything(dir, entries):
		return "", fmt.Errorf("the output directory %s is not empty: name a new one, so that two runs do not mix", dir)
	case err != nil && !os.IsNotExist(err):
		return "", fmt.Errorf("looking at the output directory: %w", err)
	}
	made := missing(filepath.Join(dir, historyDir))
	if err := tryOutput(dir); err != nil {
		for _, d := range made { // a refused run leaves nothing in the way of the next
			_ = os.Remove(d)
		}
		return "", err
	}
	return dir, nil
}

// holdsAnything tells a directory with results from one whose run never came to any: an empty history directory.
func holdsAnything(dir string, entries []os.DirEntry) bool {
	if len(entries) == 1 && entries[0].Name() == historyDir && entries[0].IsDir() {
		below, err := os.ReadDir(filepath.Join(dir, historyDir))
		return err != nil || len(below) > 0
	}
	return len(entries) > 0
}

// missing are the directories of a path that are not there, the deepest first.
func missing(path string) []string {
	var out []string
	for {
		if _, err := os.Lstat(path); !os.IsNotExist(err) {
			return out
		}
		out = append(out, path)
		parent := filepath.Dir(path)
		if parent == path {
			return out
		}
		path = parent
	}
}

// tryOutput makes the directory, writes to it and asks how much room it has.
func tryOutput(dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, historyDir), 0o755); err != nil {
		return fmt.Errorf("making the output directory: %w", err)
	}
	probe := filepath.Join(dir, historyDir, ".probe")
	err := os.WriteFile(probe, bytes.Repeat([]byte{'x'}, 64<<10), 0o600)
	if removed := os.Remove(probe); err == nil {
		err = removed
	}
	if err != nil {
		return fmt.Errorf("writing to the output directory: %w", err)
	}
	var fs syscall.Statfs_t
	if err := statfs(dir, &fs); err != nil {
		return fmt.Errorf("asking for the free space of %s: %w", dir, err)
	}
	if free := fs.Bavail * uint64(fs.Bsize); free < wantFree {
		return fmt.Errorf("the output directory %s has %d MiB free; a run wants %d MiB", dir, free>>20, wantFree>>20)
	}
	return nil
}

// statfs is the system's; tests run out of room with another.
var statfs = syscall.Statfs

// freeName is the name, or the name with a number where another run has it.
func freeName(name string) string {
	free := name
	for i := 2; ; i++ {
		if _, err := os.Lstat(free); err != nil {
			return free
		}
		free = fmt.Sprintf("%s-%d", name, i)
	}
}

// tidy removes the directories of a run that left nothing in them.
func tidy(dir string) {
	_ = os.Remove(filepath.Join(dir, historyDir))
	_ = os.Remove(dir)
}

// writeReport fills the output directory with the report in its forms.
func writeReport(dir string, r *v1alpha1.ConformanceReport) error {
	for name, form := range map[string]func(io.Writer, *v1alpha1.ConformanceReport) error{
		reportFile: write.YAML, junitFile: write.JUnit, markdown: write.Markdown,
	} {
		var b bytes.Buffer
		if err := form(&b, r); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o644); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
	}
	return nil
}
