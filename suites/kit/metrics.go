package kit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"muster/suites"
	"muster/suites/history"
)

// Metrics are readings of what a process serves at its metrics endpoint, by their labels. They count for the process as a
// whole, whoever's objects it was about; a scenario that reads them is alone in its cluster.
type Metrics struct {
	// At is where in the record each was read.
	At     map[string]history.Stamp
	series map[string]map[string]float64
}

// Readings are the premise that metrics were read under each of the labels, and those readings. Between them the process did
// not begin anew, as far as counters of these readings tell.
func (c *Case) Readings(labels ...string) Metrics {
	m := Metrics{At: map[string]history.Stamp{}, series: map[string]map[string]float64{}}
	for i, label := range labels {
		series, at, ok := c.v.Metrics(label)
		c.Premise(ok, nil, "metrics were read for %q", label)
		m.series[label], m.At[label] = series, at
		if i == 0 || !ok {
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(m.series[labels[i-1]])) {
			s, err := history.ParseSeries(key)
			if counts := strings.HasSuffix(s.Name, "_total") || strings.HasSuffix(s.Name, "_count"); err == nil && counts {
				c.Premise(series[key] >= m.series[labels[i-1]][key], nil, "%s did not begin anew between %q and %q", key, labels[i-1], label)
			}
		}
	}
	return m
}

// Amounts are what a metric came to by the values of one of its labels; all series that share a value are one.
type Amounts map[string]float64

// Grown is by how much the series of a metric grew between two readings, by the values of a label (empty: altogether), those
// that did not left out. Of a histogram it is the number of observations. served is false where neither reading has any
// series of that name. One that appears later grew from zero.
func (m Metrics) Grown(from, to, metric, label string) (grown Amounts, served bool) {
	grown = Amounts{}
	for sign, reading := range map[float64]string{-1: from, 1: to} {
		for key, value := range m.series[reading] {
			s, err := history.ParseSeries(key)
			if err != nil || s.Name != metric && s.Name != metric+"_count" {
				continue
			}
			served = true
			grown[s.Labels[label]] += sign * value
		}
	}
	maps.DeleteFunc(grown, func(_ string, n float64) bool { return n == 0 })
	return grown, served
}

// Say says in a few words by how much a metric grew between two readings: "2 scheduled, 1 unschedulable", or that it did not.
// A metric of which nothing was served has no series: it does not exist, or nothing has been counted yet by any of its labels.
func (m Metrics) Say(from, to, metric, label string) string {
	grown, served := m.Grown(from, to, metric, label)
	if !served {
		return "no such series"
	}
	return grown.String()
}

// Sum is by how much what a histogram observed grew in all between two readings.
func (m Metrics) Sum(from, to, histogram string) float64 {
	grown, _ := m.Grown(from, to, histogram+"_sum", "")
	return grown[""]
}

// String lists the amounts in the order of their names: "1 scheduled, 2 unschedulable"; "none".
func (a Amounts) String() string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(a)) {
		out = append(out, strings.TrimSpace(strconv.FormatFloat(a[name], 'f', -1, 64)+" "+name))
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, ", ")
}

// MetricsReader reads metrics for a drive, always the same ones of one process.
type MetricsReader struct {
	metrics suites.Metrics
	process string
	names   []string
}

// ReadsMetrics makes one. The scenario's Needs ask for the capability that goes with the process.
func ReadsMetrics(env suites.Env, process string, names ...string) (*MetricsReader, error) {
	m, err := suites.MetricsOf(env)
	if err != nil {
		return nil, fmt.Errorf("counting what %s does: %w", process, err)
	}
	return &MetricsReader{m, process, names}, nil
}

// After binds a plain pod, on a pool with room for it, and then reads. A scheduler that does one thing after the other has by
// then counted what it did before: what becomes of a group is told before it is counted.
func (r *MetricsReader) After(ctx context.Context, env suites.Env, label, pool string) error {
	if err := Herald(ctx, env, pool, "after-"+strings.ReplaceAll(label, " ", "-")); err != nil {
		return err
	}
	return r.Now(ctx, label)
}

// Now reads.
func (r *MetricsReader) Now(ctx context.Context, label string) error {
	return r.metrics.Read(ctx, label, r.process, r.names...)
}
