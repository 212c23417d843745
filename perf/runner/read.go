package runner

import (
	"fmt"
	"os"

	"muster/suites/history"
	"muster/workloads/dialect"
)

// readHistory reads a run's history. One that was cut off is read as far as it goes.
func readHistory(file string) (*history.History, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("opening the history: %w", err)
	}
	defer func() { _ = f.Close() }()
	h, _, err := history.ReadAll(f, file) // lines that are missing are gaps, and gaps are problems of the run
	if err != nil {
		return nil, fmt.Errorf("reading the history: %w", err)
	}
	return h, nil
}

// viewOf is the scenario's part of a history, in the words of the dialect that it was recorded in.
func viewOf(h *history.History, name string) (*history.View, error) {
	d, err := dialect.Load(h.Header.Scheduler.Dialect)
	if err != nil {
		return nil, err
	}
	scope, ok := h.FindScope(name)
	if !ok {
		return nil, fmt.Errorf("reading the history: it does not say where %s begins", name)
	}
	return history.NewView(h, d, scope), nil
}
