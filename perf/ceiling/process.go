package ceiling

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"slices"
	"sync"
	"syscall"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/component-base/metrics/legacyregistry"
	_ "k8s.io/component-base/metrics/prometheus/restclient" // the client's own counters: requests, latency, throttling
)

// ProcessOptions of a Binder that is a process of its own. REST is required.
type ProcessOptions struct {
	// REST is how to reach the API server; its QPS and Burst limit all connections together.
	REST *rest.Config
	// Options of the binder. Clients and Serves are filled in.
	Options
	// Connections to send requests on, beside the one that watches. Default: DefaultConnections.
	Connections int
	// Address to serve /metrics, /readyz and /debug/pprof on, without encryption or authentication; empty for none.
	Address string
}

// RunProcess runs a binder until ctx is done.
func RunProcess(ctx context.Context, o ProcessOptions) error {
	if o.Connections < 0 {
		return fmt.Errorf("making the ceiling: %d connections; at least one has to be possible", o.Connections)
	}
	if o.Connections == 0 {
		o.Connections = DefaultConnections
	}
	var err error
	if o.Clients, err = clients(o.REST, o.Connections); err != nil {
		return err
	}
	if o.Serves, err = served(o.Clients[0].Discovery()); err != nil {
		return err
	}
	b, err := New(o.Options)
	if err != nil {
		return err
	}
	var others sync.WaitGroup
	defer others.Wait()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if o.Address != "" {
		l, err := listen(ctx, o.Address)
		if err != nil {
			return err
		}
		others.Go(func() {
			if err := serve(ctx, l, b); err != nil {
				cancel(err)
			}
		})
	}
	err = b.Run(ctx)
	if cause := context.Cause(ctx); err == nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}

// clients speak protobuf, over a connection each, under one common limit.
func clients(config *rest.Config, n int) ([]kubernetes.Interface, error) {
	config = rest.CopyConfig(config)
	config.ContentType, config.AcceptContentTypes = runtime.ContentTypeProtobuf, runtime.ContentTypeProtobuf+","+runtime.ContentTypeJSON
	config.WarningHandlerWithContext = rest.NoWarnings{}
	config.DisableCompression = true // as Kubernetes' own components have it
	if config.QPS > 0 && config.RateLimiter == nil {
		config.RateLimiter = flowcontrol.NewTokenBucketRateLimiter(config.QPS, config.Burst)
	}
	out := make([]kubernetes.Interface, n)
	for i := range out {
		c := rest.CopyConfig(config)
		// Transports are shared between configurations that are alike; a dialer of its own makes one differ.
		c.Dial = (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext
		client, err := kubernetes.NewForConfig(c)
		if err != nil {
			return nil, fmt.Errorf("making the ceiling's client: %w", err)
		}
		out[i] = client
	}
	return out, nil
}

// served asks which of the optional APIs there are.
func served(d discovery.ServerResourcesInterface) (s Serves, err error) {
	ask := func(version, resource string) bool {
		list, e := d.ServerResourcesForGroupVersion(version)
		switch {
		case apierrors.IsNotFound(e):
			return false
		case e != nil:
			err = errors.Join(err, fmt.Errorf("asking whether %s of %s are served: %w", resource, version, e))
			return false
		}
		for _, r := range list.APIResources {
			if r.Name == resource && slices.Contains(r.Verbs, "watch") {
				return true
			}
		}
		return false
	}
	s.Groups = ask("scheduling.k8s.io/v1beta1", "podgroups")
	s.Composites = ask("scheduling.k8s.io/v1alpha3", "compositepodgroups")
	s.Devices = ask("resource.k8s.io/v1", "resourceclaims")
	return s, err
}

// soReuseport is SO_REUSEPORT: whoever starts this process may hold the port for it.
const soReuseport = 0xf

func listen(ctx context.Context, address string) (net.Listener, error) {
	c := net.ListenConfig{Control: func(_, _ string, raw syscall.RawConn) error {
		var failed error
		err := raw.Control(func(fd uintptr) {
			failed = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, soReuseport, 1)
		})
		return errors.Join(err, failed)
	}}
	l, err := c.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listening for metrics: %w", err)
	}
	return l, nil
}

func serve(ctx context.Context, l net.Listener, b *Binder) error {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", legacyregistry.Handler())
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !b.Ready() {
			http.Error(w, "the cluster has not been read yet", http.StatusServiceUnavailable)
		}
	})
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(l); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving metrics: %w", err)
	}
	return nil
}
