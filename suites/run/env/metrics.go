package env

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"muster/suites"
	"muster/suites/history"
)

// Metrics reads the endpoints of the session's processes.
type Metrics interface {
	// Read gives the series of a process whose names, without labels, keep wants.
	Read(ctx context.Context, process string, keep func(name string) bool) (map[string]float64, error)
}

// Metrics are those of the session's processes.
func (e *Env) Metrics() (suites.Metrics, error) {
	if e.o.Metrics == nil {
		return nil, fmt.Errorf("reading metrics: this session has no way to them; the scenario must need %s or %s",
			suites.ReadMetrics, suites.ReadSchedulerMetrics)
	}
	return reading{e}, nil
}

// reading is suites.Metrics: it records what was read.
type reading struct{ e *Env }

// Read records the series.
func (r reading) Read(ctx context.Context, label, process string, names ...string) error {
	if label == "" || len(names) == 0 {
		return errors.New("reading metrics: a reading needs a label to be found by, and the names of metrics")
	}
	var a history.Action
	a.SentWall, a.SentMono = r.e.o.Journal.Now()
	series, err := r.e.o.Metrics.Read(ctx, process, func(name string) bool { return wanted(names, name) })
	if err != nil {
		return err
	}
	body, err := json.Marshal(series)
	if err != nil {
		return fmt.Errorf("keeping the metrics of %s: %w", process, err) // a value that is no number
	}
	a.Label, a.Response.Object = process, body
	r.e.write(history.VerbMetrics, label, a)
	return nil
}

// wanted reports whether a series of that name belongs to one of the metrics.
func wanted(names []string, series string) bool {
	if slices.Contains(names, series) {
		return true
	}
	for _, suffix := range []string{"_count", "_sum"} {
		if base, ok := strings.CutSuffix(series, suffix); ok && slices.Contains(names, base) {
			return true
		}
	}
	return false
}
