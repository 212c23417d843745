package suites

import (
	"context"
	"errors"

	"muster/suites/history"
)

// Metrics are what processes say about themselves at their metrics endpoints: of a process as a whole, whoever's objects it
// was about. A scenario that counts must not share its cluster with others meanwhile.
type Metrics interface {
	// Read records under a label (see View.Metrics) what a process (Scheduler, ControllerManager) serves now of the metrics
	// named; of a histogram its count and its sum. What it does not serve is not there, and no error.
	Read(ctx context.Context, label, process string, names ...string) error
}

// Scheduler is the scheduler under test, for Metrics.Read.
const Scheduler = history.ProcessScheduler

// ReadMetrics is the capability (see fakes/cluster) of a scenario that reads the metrics of components of the control
// plane; ReadSchedulerMetrics that of one that reads the scheduler's. A run offers it where it is known where they are: of
// every scheduler that muster starts itself, and of another whose profile says so.
const (
	ReadMetrics          = "read-metrics"
	ReadSchedulerMetrics = "read-scheduler-metrics"
)

// Measured is an Env that has Metrics.
type Measured interface{ Metrics() (Metrics, error) }

// MetricsOf are those of a scenario whose Needs ask for ReadMetrics or ReadSchedulerMetrics.
func MetricsOf(env Env) (Metrics, error) {
	m, ok := env.(Measured)
	if !ok {
		return nil, errors.New("reading metrics: there is no way to them here; the scenario must need " + ReadMetrics + " or " + ReadSchedulerMetrics)
	}
	return m.Metrics()
}
