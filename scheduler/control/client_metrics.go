package control

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/component-base/metrics/legacyregistry"
	_ "k8s.io/component-base/metrics/prometheus/restclient" // makes client-go count its requests
)

// clientMetrics gathers what client-go counts about its requests: rest_client_requests_total and the like. client-go knows
// one registry for the whole process, Kubernetes' own; all else in it (the process once more, whatever other packages that
// are linked have left there) is not this scheduler's to tell.
func clientMetrics() prometheus.Gatherer {
	return prometheus.GathererFunc(named("rest_client_", legacyregistry.DefaultGatherer.Gather))
}

// named leaves, of what is gathered, the families whose name begins so.
func named[F interface{ GetName() string }](prefix string, gather func() ([]F, error)) func() ([]F, error) {
	return func() ([]F, error) {
		all, err := gather()
		if err != nil {
			err = fmt.Errorf("gathering the metrics %s…: %w", prefix, err)
		}
		return slices.DeleteFunc(all, func(f F) bool { return !strings.HasPrefix(f.GetName(), prefix) }), err
	}
}
