package ceiling

import (
	"errors"
	"fmt"
	"slices"

	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"
)

// Defaults of Options.
const (
	// DefaultConcurrency keeps two cores busy, where all components share them: with more requests under way each waits
	// longer, and so does the observer (muster perf ceiling tries others).
	DefaultConcurrency = 4
	DefaultConnections = 1
	// DefaultName is the schedulerName it binds for.
	DefaultName = "default-scheduler"
)

// Options of a Binder. Clients is required; the zero value of everything else is sensible.
type Options struct {
	// Clients to bind with, used in turn by the workers: each has a connection of its own. The first one watches.
	Clients []kubernetes.Interface
	// Names are the schedulerNames it binds for. Default: DefaultName.
	Names []string
	// Concurrency is how many binds are under way at a time at most, with the writes that belong to them; and how many
	// conditions beside them. Default: DefaultConcurrency.
	Concurrency int
	// Serves says which optional APIs are watched.
	Serves Serves
	// Log; the zero value keeps silent.
	Log klog.Logger
}

// Serves are the optional APIs that an API server has.
type Serves struct {
	// Groups: PodGroups in scheduling.k8s.io/v1beta1. Composites: CompositePodGroups in v1alpha3.
	Groups, Composites bool
	// Devices: ResourceClaims, ResourceSlices and DeviceClasses in resource.k8s.io/v1.
	Devices bool
}

func (o *Options) complete() error {
	if len(o.Clients) == 0 || slices.Contains(o.Clients, nil) {
		return errors.New("making the ceiling: no client to reach the API server with")
	}
	if o.Concurrency < 0 {
		return fmt.Errorf("making the ceiling: %d requests at a time; at least one has to be possible", o.Concurrency)
	}
	if o.Concurrency == 0 {
		o.Concurrency = DefaultConcurrency
	}
	if len(o.Names) == 0 {
		o.Names = []string{DefaultName}
	}
	if slices.Contains(o.Names, "") {
		return errors.New("making the ceiling: an empty scheduler name; pods always name a scheduler")
	}
	return nil
}
