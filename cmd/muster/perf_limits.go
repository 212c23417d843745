package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// Nobody waits for more runs than maxRuns, or has more requests under way at a time than maxConcurrency; a typing error would
// have the machine's memory. No client reaches maxQPS, and twice that is still a burst.
const (
	maxRuns        = 10_000
	maxConcurrency = 10_000
	maxQPS         = 1_000_000
)

// checkRuns refuses numbers that nothing can be made of.
func (f *perfFlags) checkRuns() error {
	switch {
	case f.runs < 1 || f.runs > maxRuns:
		return fmt.Errorf("--runs %d: at least one is needed, and at most %d are made", f.runs, maxRuns)
	case f.patience <= 0 || f.readyTimeout <= 0:
		return errors.New("--patience and --ready-timeout have to be positive")
	// A burst is twice the limit, and a whole number above nothing. What is not a number is in no range.
	case !(f.qps >= 1 && f.qps <= maxQPS):
		return fmt.Errorf("--client-qps %v: it has to be positive and finite: 1 to %d", f.qps, maxQPS)
	case f.execQPS != 0 && !(f.execQPS >= 1 && f.execQPS <= maxQPS):
		return fmt.Errorf("--exec-client-qps %v: it cannot be negative, and has to be finite: 1 to %d", f.execQPS, maxQPS)
	}
	return nil
}

// checkConcurrency refuses numbers of requests at a time that nobody can have.
func checkConcurrency(flag string, n int) error {
	if n < 1 || n > maxConcurrency {
		return fmt.Errorf("%s %d: at least one request has to be possible at a time, and at most %d are", flag, n, maxConcurrency)
	}
	return nil
}

// sideName is one word in lines of figures and in tables, and part of file names as it is: two sides whose names differ have
// histories of their own.
var sideName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// checkSideName refuses what a side cannot be called.
func checkSideName(flag, name string) error {
	if !sideName.MatchString(name) {
		return fmt.Errorf("%s %q: a side is called by at most 64 letters, digits, dots, hyphens and underscores; name it so", flag, name)
	}
	return nil
}

// historyDir is the folder of the histories in an output directory.
const historyDir = "history"

// perfOutput makes the output directory, which must be new or empty, so that two invocations do not mix. It is this one's from
// here on: the folder of the histories can be made only once.
func perfOutput(dir string) (string, error) {
	if dir != "" {
		return dir, claim(dir)
	}
	began := filepath.Join("muster-out", "perf-"+time.Now().Format("20060102-150405"))
	dir = began
	// Others may have begun in the same second.
	for n := 2; ; n++ {
		err := claim(dir)
		if !errors.Is(err, errTaken) {
			return dir, err
		}
		dir = began + "-" + strconv.Itoa(n)
	}
}

// errTaken: an output directory is somebody else's.
var errTaken = errors.New("name a new one, so that two runs do not mix")

// claim makes an output directory, for this invocation alone.
func claim(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case err == nil && len(entries) > 0:
		return fmt.Errorf("the output directory %s is not empty: %w", dir, errTaken)
	case err != nil && !os.IsNotExist(err):
		return fmt.Errorf("looking at the output directory: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the output directory: %w", err)
	}
	err = os.Mkdir(filepath.Join(dir, historyDir), 0o755)
	switch {
	case os.IsExist(err):
		return fmt.Errorf("another run has just begun to write to the output directory %s: %w", dir, errTaken)
	case err != nil:
		return fmt.Errorf("making the output directory: %w", err)
	}
	return nil
}

// checkStore refuses a file that could not be written in the end: what took half an hour to measure is not to be lost for want
// of a directory.
func checkStore(file string) error {
	if file == "" {
		return nil
	}
	dir := filepath.Dir(file)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return fmt.Errorf("--store %s: there is no directory %s to write it to", file, dir)
	}
	info, err := os.Stat(file)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("--store %s: it is there, and no file; name one", file)
	case err == nil:
		f, err := os.OpenFile(file, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("--store %s: it cannot be written to: %w", file, err)
		}
		return f.Close()
	case !os.IsNotExist(err):
		return fmt.Errorf("--store %s: %w", file, err)
	}
	f, err := os.CreateTemp(dir, ".baseline-")
	if err != nil {
		return fmt.Errorf("--store %s: nothing can be written to its directory: %w", file, err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
