package control

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// ProcessOptions of a scheduler that is a process of its own. REST is required.
type ProcessOptions struct {
	// REST is how to reach the API server; its QPS and Burst limit the client.
	REST *rest.Config
	// Options of the scheduler. Client, NoGroups and NoComposites are filled in.
	Options
	// Address to serve metrics and health checks on, without encryption or authentication; empty for none.
	Address string
	// SharePort lets another process hold the address's port at the same time.
	SharePort bool
	// Profiling serves /debug/pprof too.
	Profiling bool
	// Lease is the lease to lead by; nil to schedule without asking.
	Lease *Lease
}

// Lease names the lease of which the holder schedules. It is given back at the end.
type Lease struct {
	Namespace, Name string
	// Duration of a lease that is not renewed, RenewDeadline after which the holder gives up, RetryPeriod between tries.
	// Default: 15, 10 and 2 seconds.
	Duration, RenewDeadline, RetryPeriod time.Duration
}

// ErrLeaseLost ends a process that could not renew its lease: somebody else may be scheduling already.
var ErrLeaseLost = errors.New("the lease was lost; start again to stand by for it")

// RunProcess runs a scheduler until ctx is done.
func RunProcess(ctx context.Context, o ProcessOptions) error {
	config := rest.CopyConfig(o.REST)
	config.ContentType, config.AcceptContentTypes = runtime.ContentTypeProtobuf, runtime.ContentTypeProtobuf+","+runtime.ContentTypeJSON
	config.WarningHandlerWithContext = rest.NoWarnings{}
	// As Kubernetes' own components have it: else the API server compresses every event for every watch.
	config.DisableCompression = true
	if o.Fault != nil && o.Fault.Transport != nil {
		config.Wrap(o.Fault.Transport)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("making the client: %w", err)
	}
	o.Client = client
	if o.NoGroups, o.NoComposites, err = missing(client.Discovery()); err != nil {
		return err
	}
	if o.NoDevices, o.NoTaintRules, err = missingDevices(client.Discovery()); err != nil {
		return err
	}
	if o.NoDevices {
		o.Log.Info("the API server does not serve ResourceClaims in resource.k8s.io/v1: no pod gets devices")
	}
	if o.NoGroups {
		o.Log.Info("the API server does not serve PodGroups in scheduling.k8s.io/v1beta1: only pods of their own are scheduled")
	}
	if o.Metrics == nil {
		o.Metrics = NewMetrics()
	}
	s, err := New(o.Options)
	if err != nil {
		return err
	}
	var others sync.WaitGroup
	defer others.Wait()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var standby atomic.Bool
	if o.Address != "" {
		l, err := listen(ctx, o.Address, o.SharePort)
		if err != nil {
			return err
		}
		o.Log.Info("serving metrics and health checks", "address", l.Addr().String())
		others.Go(func() {
			if err := serve(ctx, l, handler(s, o.Metrics, standby.Load, o.Profiling)); err != nil {
				cancel(err)
			}
		})
	}
	if o.Fault != nil && o.Fault.Early {
		s.early = s.watchFrom(ctx)
	}
	if o.Lease == nil {
		err = s.Run(ctx)
	} else {
		err = lead(ctx, client, o, &standby, s.Run)
	}
	if cause := context.Cause(ctx); err == nil && cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}

// missing asks which of the groups' APIs are not served.
func missing(d discovery.ServerResourcesInterface) (groups, composites bool, err error) {
	has, err := serves(d, "scheduling.k8s.io/v1beta1", "podgroups")
	hasComposites, err2 := serves(d, "scheduling.k8s.io/v1alpha3", "compositepodgroups")
	return !has, !hasComposites, errors.Join(err, err2)
}

// missingDevices asks which of the devices' APIs are not served.
func missingDevices(d discovery.ServerResourcesInterface) (devices, rules bool, err error) {
	has, err := serves(d, "resource.k8s.io/v1", "resourceclaims")
	hasRules, err2 := serves(d, "resource.k8s.io/v1", "devicetaintrules")
	return !has, !hasRules, errors.Join(err, err2)
}

// serves asks whether a resource can be watched.
func serves(d discovery.ServerResourcesInterface, version, resource string) (bool, error) {
	list, err := d.ServerResourcesForGroupVersion(version)
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("asking whether %s of %s are served: %w", resource, version, err)
	}
	return slices.ContainsFunc(list.APIResources, func(r metav1.APIResource) bool {
		return r.Name == resource && slices.Contains(r.Verbs, "watch")
	}), nil
}

// lead runs while this process holds the lease. The lease is given back only after run has ended, so that the next
// holder does not plan with room that is being bound.
func lead(ctx context.Context, client kubernetes.Interface, o ProcessOptions, standby *atomic.Bool, run func(context.Context) error) error {
	host, err := os.Hostname()
	if err != nil {
		return fmt.Errorf("naming the holder of the lease: %w", err)
	}
	l := *o.Lease
	if l.Duration == 0 {
		l.Duration, l.RenewDeadline, l.RetryPeriod = 15*time.Second, 10*time.Second, 2*time.Second
	}
	lock, err := resourcelock.New(resourcelock.LeasesResourceLock, l.Namespace, l.Name, client.CoreV1(), client.CoordinationV1(),
		resourcelock.ResourceLockConfig{Identity: host + "_" + string(uuid.NewUUID())})
	if err != nil {
		return fmt.Errorf("describing the lease %s/%s: %w", l.Namespace, l.Name, err)
	}
	// Holding ends when run has ended, or ctx is done while another one leads.
	holding, letGo := context.WithCancel(context.WithoutCancel(ctx))
	defer letGo()
	var began atomic.Bool
	defer context.AfterFunc(ctx, func() {
		if !began.Load() {
			letGo()
		}
	})()
	done := make(chan error, 1)
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: l.Duration, RenewDeadline: l.RenewDeadline, RetryPeriod: l.RetryPeriod,
		ReleaseOnCancel: true, Name: l.Name,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(leading context.Context) {
				began.Store(true)
				defer letGo()
				standby.Store(false)
				both, stop := context.WithCancel(leading)
				defer stop()
				defer context.AfterFunc(ctx, stop)()
				done <- run(both)
			},
			OnStoppedLeading: func() {},
			OnNewLeader: func(who string) {
				standby.Store(who != lock.Identity())
				o.Log.Info("leading", "holder", who, "self", who == lock.Identity())
			},
		},
	})
	if err != nil {
		return fmt.Errorf("standing for the lease %s/%s: %w", l.Namespace, l.Name, err)
	}
	elector.Run(holding)
	if !began.Load() {
		return nil
	}
	err = <-done
	if err == nil && ctx.Err() == nil {
		err = ErrLeaseLost
	}
	return err
}
