package control

import (
	"errors"
	"slices"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
)

// Defaults of Options.
const (
	DefaultName     = "muster"
	DefaultHeadWait = time.Minute
)

// DefaultBinders is many for a small machine. Fewer would keep others waiting less where all components share few cores
// (muster perf sets it like the ceiling's); but the API server serves requests in turn, and a scheduler with two under way gets
// two turns among a hundred clients'.
const DefaultBinders = 32

// Options of a Scheduler. Client is required; the zero value of everything else is sensible.
type Options struct {
	Client kubernetes.Interface
	// Names are the schedulerNames it schedules for. Default: muster.
	Names []string
	// NoGroups: the API server does not serve PodGroups (scheduling.k8s.io/v1beta1).
	NoGroups bool
	// NoComposites: it does not serve CompositePodGroups (scheduling.k8s.io/v1alpha3).
	NoComposites bool
	// NoDevices: it does not serve ResourceClaims (resource.k8s.io/v1). NoTaintRules: it serves no DeviceTaintRules there.
	NoDevices, NoTaintRules bool
	// HeadWait is how long the head of the waiting roots lets others pass before room is kept for it. Default: a minute.
	HeadWait time.Duration
	// Binders is how many binds are under way at a time at most. Default: DefaultBinders.
	Binders int
	// PreemptForAll: pods are evicted also for members beyond a quorum. Default: for the quorum alone.
	PreemptForAll bool
	// Fault is what the scheduler does wrong; nil for nothing.
	Fault *Fault
	// Seed of the engine.
	Seed uint64
	// Clock for everything that waits or is measured. Default: the real one.
	Clock clock.WithTicker
	// Metrics to count in. Default: of its own, which nobody reads.
	Metrics *Metrics
	// Log; the zero value keeps silent.
	Log klog.Logger
}

func (o *Options) complete() error {
	if o.Client == nil {
		return errors.New("making the scheduler: no client to reach the API server with")
	}
	if o.HeadWait < 0 || o.Binders < 0 {
		return errors.New("making the scheduler: neither the head's wait nor the number of binders can be negative")
	}
	if o.Fault == nil {
		o.Fault = &Fault{}
	}
	if len(o.Names) == 0 {
		o.Names = []string{DefaultName}
	}
	if slices.Contains(o.Names, "") {
		return errors.New("making the scheduler: an empty scheduler name; pods always name a scheduler")
	}
	if o.HeadWait == 0 {
		o.HeadWait = DefaultHeadWait
	}
	if o.Binders == 0 {
		o.Binders = DefaultBinders
	}
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	if o.Metrics == nil {
		o.Metrics = NewMetrics()
	}
	return nil
}
