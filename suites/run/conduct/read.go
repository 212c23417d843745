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
		parse = readWhole
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

// batch is how many events are handed over at a time.
const batch = 512

// readWhole reads a record for the view of the whole alone. Lines and the objects in them are understood beside what follows
// from them, which takes about as long again.
func readWhole(r io.Reader, name string) (*history.History, error) {
	var h history.Header
	var failed error
	batches := make(chan []*history.Event, 8)
	go func() {
		defer close(batches)
		var next []*history.Event
		var p history.Preparer
		failed = history.Scan(r, name, &h, func(e *history.Event) {
			p.Prepare(e)
			if next = append(next, e); len(next) == batch {
				batches <- next
				next = nil
			}
		})
		batches <- next
	}()
	var w *history.Whole
	var unknown error
	for events := range batches {
		if w == nil { // the header is known with the first batch
			var d *dialect.Dialect
			if d, unknown = dialect.Load(h.Scheduler.Dialect); unknown == nil {
				w = history.NewWhole(h, name, d)
			} else {
				w = history.NewWhole(h, name, nil)
			}
		}
		for _, e := range events {
			w.Add(e)
		}
	}
	if failed != nil {
		return nil, failed
	}
	if unknown != nil {
		return nil, &history.Problem{Name: name, Line: 1, Err: fmt.Errorf("reading the header: scheduler.dialect: %w", unknown)}
	}
	return w.History(), nil
}
