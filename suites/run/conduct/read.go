package conduct

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"muster/suites/history"
	"muster/suites/run/plan"
	"muster/workloads/dialect"
)

// ReadHistory reads a file strictly.
func ReadHistory(file string) (*history.History, error) { return read(file, false) }

// read reads a file strictly. whole keeps only the view of the whole of it, for a record that is judged by itself.
func read(file string, whole bool) (*history.History, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("opening the history: %w", err)
	}
	defer f.Close()
	parse := history.Read
	if whole {
		parse = func(r io.Reader, name string) (*history.History, error) {
			return history.ReadWhole(r, name, func(d string) (history.Dialect, error) { return dialect.Load(d) })
		}
	}
	h, err := parse(f, file)
	if err != nil {
		return nil, err
	}
	h.Name = filepath.Base(file)
	return h, nil
}

// aloneAmong are those of the files that are records of a cluster of which there is no second: they need not be put
// together with others, so their events need not be kept. What is wrong with a header is said when the file is read.
func aloneAmong(files []string) (map[string]bool, error) {
	records := map[string][]string{}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			return nil, fmt.Errorf("opening the history: %w", err)
		}
		h, err := history.ReadHeader(f)
		_ = f.Close()
		if err == nil && h.MusterInfo[plan.InfoOrigin] == plan.InfoRecord {
			records[h.Cluster] = append(records[h.Cluster], file)
		}
	}
	alone := map[string]bool{}
	for _, of := range records {
		if len(of) == 1 {
			alone[of[0]] = true
		}
	}
	return alone, nil
}
