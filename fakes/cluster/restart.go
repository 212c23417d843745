package cluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"muster/fakes/cluster/process"
)

// stopGrace is what a component is given to end when it is asked to. What it would still do by then is of no use.
// An API server does not end while anybody watches it, and somebody always does; what it has answered is in storage.
func stopGrace(name string) time.Duration {
	if name == APIServer {
		return 500 * time.Millisecond
	}
	return 10 * time.Second
}

// restartable are the components that can be stopped and started: etcd is not, since with nothing synced to disk its end
// is the end of the cluster's storage.
var restartable = []string{APIServer, ControllerManager, Kwok}

// StopComponent asks a component to end and returns when it has (capability RestartComponents). Its end is no death.
// Stopping one that does not run is an error.
func (e *Embedded) StopComponent(ctx context.Context, name string) error {
	p, err := e.component(name)
	if err != nil {
		return err
	}
	if how := p.Ended(); how != "" {
		return fmt.Errorf("stopping %s of the cluster %s: it does not run (%s)", name, e.Name(), how)
	}
	p.Stop(ctx, stopGrace(name))
	return nil
}

// StartComponent starts a component that was stopped and returns when it answers. gates and runtimeConfig lie over those
// the cluster was started with, for this component and until it is stopped; a gate takes those that depend on it along.
// Gates goes on telling what the cluster was started with.
func (e *Embedded) StartComponent(ctx context.Context, name string, gates, runtimeConfig map[string]bool) error {
	doing := func(err error) error { return fmt.Errorf("starting %s of the cluster %s: %w", name, e.Name(), err) }
	p, err := e.component(name)
	if err != nil {
		return err
	}
	if p.Ended() == "" {
		return doing(fmt.Errorf("it runs already, as process %d: stop it first", p.PID()))
	}
	l, err := e.layout.with(gates, runtimeConfig)
	if err != nil {
		return doing(err)
	}
	args, ready := l.apiServerArgs, e.awaitAPI
	switch name {
	case ControllerManager:
		args, ready = l.controllerManagerArgs, e.awaitHealth
	case Kwok:
		// It has nothing to ask whether it is ready; whoever waits for its work sees it.
		args, ready = l.kwokArgs, func(context.Context) error { return nil }
	}
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, errTooLong)
	defer cancel()
	if err := e.run(name, args()); err != nil {
		return doing(err)
	}
	if err := ready(ctx); err != nil {
		return doing(err)
	}
	return nil
}

// component is the process that a component is or was last.
func (e *Embedded) component(name string) (*process.Process, error) {
	if !slices.Contains(restartable, name) {
		return nil, fmt.Errorf("%q is no component that can be restarted; there are %v", name, restartable)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.processes[name]
	if p == nil {
		return nil, fmt.Errorf("the cluster %s has not started %s yet", e.Name(), name)
	}
	return p, nil
}

// with is the layout with other gates and API versions on top of those it has.
func (l layout) with(gates, runtimeConfig map[string]bool) (layout, error) {
	asked := merged(l.options.Gates, gates)
	resolved, err := ResolveGates(DefaultGates(), asked)
	if err != nil {
		return l, err
	}
	l.gates = resolved
	l.options.RuntimeConfig = merged(l.options.RuntimeConfig, runtimeConfig)
	return l, nil
}

func merged(under, over map[string]bool) map[string]bool {
	out := map[string]bool{}
	maps.Copy(out, under)
	maps.Copy(out, over)
	return out
}

// awaitHealth waits until the controller manager says that it is well, by when its controllers have been started.
func (e *Embedded) awaitHealth(ctx context.Context) error {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(e.pki.ca)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}}
	defer client.CloseIdleConnections()
	url := fmt.Sprintf("https://127.0.0.1:%d/healthz", e.layout.ctrlPort)
	return e.poll(ctx, "the controller manager to be well", func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		resp, err := client.Do(req)
		if err != nil {
			return err
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("%w: /healthz answers %s", errNotYet, resp.Status)
		}
		return nil
	})
}
