package run

import (
	"slices"

	"muster/fakes/cluster"
	"muster/suites"
	"muster/suites/run/env"
	"muster/suites/run/plan"
)

// MetricsWorld is a World in which metrics can be read.
type MetricsWorld interface {
	// TellsMetrics reports whether it is known where those of the scheduler under test are.
	TellsMetrics() bool
	// Metrics are those of the components of a cluster and of the scheduler in front of it; nil: there is none.
	Metrics(c cluster.Cluster, s Scheduler) env.Metrics
}

// withMetrics adds to an offer what the world can do about the scheduler's metrics. Those of the components are the
// cluster's to offer.
func (o Options) withMetrics(offer plan.Offer) plan.Offer {
	if w, ok := o.World.(MetricsWorld); ok && w.TellsMetrics() {
		offer.Capabilities = append(slices.Clone(offer.Capabilities), suites.ReadSchedulerMetrics)
	}
	return offer
}

// metrics are those of the session for scenarios; nil where there is no way to them.
func (s *session) metrics() env.Metrics {
	if w, ok := s.o.World.(MetricsWorld); ok {
		return w.Metrics(s.cluster, s.scheduler)
	}
	return nil
}
