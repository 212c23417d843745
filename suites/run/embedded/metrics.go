package embedded

import (
	"context"
	"fmt"

	"muster/fakes/cluster"
	"muster/fakes/scrape"
	"muster/suites"
	"muster/suites/run"
	"muster/suites/run/env"
)

var _ run.MetricsWorld = (*World)(nil)

// TellsMetrics reports whether it is known where the metrics of the scheduler under test are.
func (w *World) TellsMetrics() bool { return w.Scheduling.TellsMetrics() }

// Metrics are those of the components and of the scheduler.
func (w *World) Metrics(c cluster.Cluster, s run.Scheduler) env.Metrics { return metrics{c, s} }

// metrics reads endpoints with the administrator's token of a cluster.
type metrics struct {
	cluster   cluster.Cluster
	scheduler run.Scheduler
}

// Read reads one.
func (m metrics) Read(ctx context.Context, process string, keep func(string) bool) (map[string]float64, error) {
	url := m.url(process)
	if url == "" {
		return nil, fmt.Errorf("reading the metrics of %s: nobody says where they are", process)
	}
	client := scrape.New(m.cluster.RESTConfig().BearerToken)
	defer client.Close()
	return client.Read(ctx, process, url, keep)
}

func (m metrics) url(process string) string {
	if process == suites.Scheduler {
		if s, ok := m.scheduler.(interface{ MetricsURL() string }); ok {
			return s.MetricsURL()
		}
		return ""
	}
	if c, ok := m.cluster.(interface{ MetricsURL(component string) string }); ok {
		return c.MetricsURL(process)
	}
	return ""
}
