package cluster

import (
	"context"
	"fmt"
	"os"
	"regexp"

	"k8s.io/client-go/rest"

	"muster/fakes/cluster/storage"
)

// Options of an embedded cluster. The zero value is a cluster with every workload-aware gate on, in a run directory
// of its own that is gone when the cluster is.
type Options struct {
	// Name, unique on this machine while the cluster lives: a DNS label. Default: muster-<random>.
	Name string
	// Parent is the folder the run directory is made in. Default: os.TempDir().
	Parent string
	// Gates switch feature gates of the whole control plane on or off, on top of DefaultGates. What depends on a gate
	// that is off goes off with it; see ResolveGates.
	Gates map[string]bool
	// RuntimeConfig switches API groups, versions or resources ("scheduling.k8s.io/v1alpha3": false), on top of
	// DefaultRuntimeConfig.
	RuntimeConfig map[string]bool
	// QPS and Burst are the client limits of every component that has any, and of RESTConfig, alike.
	// Default: ClientQPS and twice that.
	QPS   float64
	Burst int
	// Verbosity of the components' logs (klog's -v). Default 0, at which errors and warnings are logged.
	Verbosity int
	// Keep leaves the run directory behind when the cluster stops: logs, kubeconfigs, etcd's data.
	Keep bool
	// Binary to execute for every role. Default: this very binary. Tests name the built bin/muster.
	Binary string
	// IdleKubelets leaves bound pods Pending instead of having them run; deleted ones go when their grace is over. Default:
	// pods run, and end when told to.
	IdleKubelets bool
	// APIServerGC is the API server's GOGC: while it collects its garbage everybody waits longer for it, and the less often
	// it does, the more memory it takes. Default: 200.
	APIServerGC int
	// Preload is called when storage listens and before the API server is started, which then finds everything in place.
	// What it writes has to be what the API server would have left (capability SeedNodes). Default: nothing is written.
	Preload func(context.Context, *storage.Store) error
	// Seed is called when the API is ready and before the controllers and kwok are started, which then list in one go
	// what it has made instead of being told one by one. Objects that need a controller cannot be made in it. Default:
	// nothing is made.
	Seed func(context.Context, *rest.Config) error
	// Progress is told in a few words what the start is at ("waiting for the API"). Default: nobody is.
	Progress func(string)
}

// ClientQPS is the default client limit of every component, high enough that nothing is ever throttled on the client
// side: what is measured is the scheduler, not a token bucket.
const ClientQPS = 5000

// DefaultRuntimeConfig are the API versions of workload-aware scheduling that 1.37 does not serve by default.
func DefaultRuntimeConfig() map[string]bool {
	return map[string]bool{"scheduling.k8s.io/v1beta1": true, "scheduling.k8s.io/v1alpha3": true}
}

// nameShape is a DNS label: names end up in file names and kubeconfig contexts.
var nameShape = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)

// CheckName refuses what cannot be the name of a cluster.
func CheckName(name string) error {
	if nameShape.MatchString(name) {
		return nil
	}
	return fmt.Errorf("the cluster name %q is not a DNS label: use at most 63 of a-z, 0-9 and -, beginning and ending "+
		"with a letter or digit", name)
}

// withDefaults fills in what was left out and refuses what cannot be.
func (o Options) withDefaults() (Options, error) {
	if o.Name == "" {
		o.Name = "muster-" + newToken()[:8]
	}
	if err := CheckName(o.Name); err != nil {
		return o, err
	}
	if o.Parent == "" {
		o.Parent = os.TempDir()
	}
	if o.QPS == 0 {
		o.QPS = ClientQPS
	}
	if o.QPS < 0 || o.Burst < 0 {
		return o, fmt.Errorf("client limits of %g requests a second, burst %d: neither can be negative", o.QPS, o.Burst)
	}
	if o.Burst == 0 {
		o.Burst = int(2 * o.QPS)
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	runtimeConfig := DefaultRuntimeConfig()
	for k, v := range o.RuntimeConfig {
		runtimeConfig[k] = v
	}
	o.RuntimeConfig = runtimeConfig
	return o, nil
}
