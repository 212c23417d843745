package embedded

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"

	"muster/fakes/cluster"
)

// MissingAPI is a cluster that does not serve what the scheduler's dialect needs.
type MissingAPI struct {
	Cluster  string
	Resource schema.GroupVersionResource
}

// Error names the flag or the gate that is missing.
func (e *MissingAPI) Error() string {
	what := fmt.Sprintf("cluster %s does not serve %s of %s", e.Cluster, e.Resource.Resource, e.Resource.GroupVersion())
	if e.Resource.Group == native {
		return fmt.Sprintf("%s: the API server needs --runtime-config=%s=true and --feature-gates=%s=true",
			what, e.Resource.GroupVersion(), workload)
	}
	return what + ": install the API the scheduler's dialect speaks"
}

const (
	native   = "scheduling.k8s.io"
	workload = "GenericWorkload"
)

// Check looks for the resources of the dialect.
func (w *World) Check(_ context.Context, c cluster.Cluster) error {
	d, err := discovery.NewDiscoveryClientForConfig(c.RESTConfig())
	if err != nil {
		return fmt.Errorf("asking cluster %s for its APIs: %w", c.Name(), err)
	}
	for _, gvr := range w.Dialect.Resources() {
		served, err := d.ServerResourcesForGroupVersion(gvr.GroupVersion().String())
		if err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("asking cluster %s for its APIs: %w", c.Name(), err)
		}
		found := false
		if err == nil {
			for _, r := range served.APIResources {
				found = found || r.Name == gvr.Resource
			}
		}
		if found {
			continue
		}
		if on, known := c.Gates()[workload]; known && !on && gvr.Group == native {
			continue // switched off on purpose: requirements whose gates say so are NotSupported
		}
		return &MissingAPI{Cluster: c.Name(), Resource: gvr}
	}
	return nil
}
