package embedded

import (
	"context"
	"fmt"

	"muster/fakes/cluster"
	"muster/fakes/faults/proxy"
	"muster/suites/run"
	"muster/suites/run/env"
)

var (
	_ run.FaultWorld = (*World)(nil)
	_ env.Components = (*cluster.Embedded)(nil)
)

// behind is an embedded cluster whose scheduler is behind a proxy.
type behind struct {
	*cluster.Embedded
	proxy *proxy.Proxy
}

// SchedulerKubeconfig leads to the proxy.
func (b behind) SchedulerKubeconfig() string { return b.proxy.Kubeconfig() }

// Stop ends the proxy, then the cluster.
func (b behind) Stop(ctx context.Context) error {
	b.proxy.Close()
	return b.Embedded.Stop(ctx)
}

// Breakable puts a proxy in front of an embedded cluster. The proxy's kubeconfig lies in the cluster's run directory and
// goes with it.
func (w *World) Breakable(c cluster.Cluster, seed int64) (cluster.Cluster, env.Breaker, error) {
	e, ok := c.(*cluster.Embedded)
	if !ok {
		return nil, nil, fmt.Errorf("cluster %s is not the embedded one: its scheduler cannot be led to a proxy", c.Name())
	}
	p, err := proxy.Start(proxy.Options{Kubeconfig: e.SchedulerKubeconfig(), Dir: e.Dir(), Seed: seed})
	if err != nil {
		return nil, nil, err
	}
	return behind{e, p}, p, nil
}
