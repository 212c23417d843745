package stage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/fakes/cluster"
	"muster/fakes/faults/proxy"
	"muster/suites/history"
	"muster/suites/history/record"
	"muster/suites/run"
	"muster/suites/run/embedded"
	"muster/suites/run/env"
)

// Guest is what the trial of a scheduler is staged in: a cluster of the stage that others use at the same time, each with a
// scheduler of its own in front of it, that of base. Its schedulers have to have names that nobody else's have. Only that is
// recorded of a cluster which belongs to the guest, by the namespace of an object, or its name where it has none. alone reports
// whether the guest has the cluster of a shard to itself, which is one of base's own then, started for it; nil: it has none.
func (s *Stage) Guest(base *embedded.World, belongs, alone func(string) bool) run.World {
	return &guest{World: base, stage: s, belongs: belongs, alone: alone}
}

type guest struct {
	*embedded.World
	stage          *Stage
	belongs, alone func(string) bool
}

var _ run.FaultWorld = (*guest)(nil)

// Cluster lends the control plane in which the fewest trials are, or the one with these gates, alone.
func (g *guest) Cluster(ctx context.Context, shard string, gates map[string]bool) (cluster.Cluster, error) {
	if g.alone != nil && g.alone(shard) {
		return g.stage.started(ctx, g.World, shard, gates)
	}
	h, leave, err := g.stage.lodge(ctx, gates)
	if err != nil {
		return nil, err
	}
	r := &room{Embedded: h.cluster, home: h, leave: leave, alone: g.alone != nil, died: make(chan error, 1), stopped: make(chan struct{})}
	go func() {
		select {
		case <-h.dead:
			r.died <- h.why
		case <-r.stopped:
		}
	}()
	return r, nil
}

// Record draws from what the cluster is watched by once for all guests.
func (g *guest) Record(ctx context.Context, c cluster.Cluster, header history.Header, file string) (run.Recorder, error) {
	header.MusterInfo = maps.Clone(header.MusterInfo)
	if header.MusterInfo == nil {
		header.MusterInfo = map[string]string{}
	}
	header.MusterInfo[run.InfoShared] = "true" // of a run all records are, or none is
	r, ok := c.(*room)
	if !ok {
		return g.World.Record(ctx, c, header, file)
	}
	hub, err := r.home.watched(ctx, g.Recorded())
	if err != nil {
		return nil, err
	}
	return g.RecordFrom(ctx, c, header, file, hub, g.belongs)
}

// watched gives the hub of a cluster, started where it is not there yet.
func (h *home) watched(ctx context.Context, resources []schema.GroupVersionResource) (*record.Hub, error) {
	h.connecting.Lock()
	defer h.connecting.Unlock()
	if h.hub != nil {
		return h.hub, nil
	}
	hub, err := record.NewHub(ctx, h.cluster.RESTConfig(), resources)
	if err != nil {
		return nil, fmt.Errorf("recording cluster %s: %w", h.cluster.Name(), err)
	}
	h.hub = hub
	return hub, nil
}

// Breakable puts a proxy before this guest's scheduler alone.
func (g *guest) Breakable(c cluster.Cluster, seed int64) (cluster.Cluster, env.Breaker, error) {
	r, ok := c.(*room)
	if !ok {
		return g.World.Breakable(c, seed)
	}
	dir, err := os.MkdirTemp(r.Dir(), "room-")
	if err != nil {
		return nil, nil, fmt.Errorf("making a folder for a proxy: %w", err)
	}
	p, err := proxy.Start(proxy.Options{Kubeconfig: r.Embedded.SchedulerKubeconfig(), Dir: dir, Seed: seed})
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	r.proxy, r.dir = p, dir
	return r, p, nil
}

// room is a cluster for a guest.
type room struct {
	*cluster.Embedded
	home  *home
	leave func(context.Context) error
	// alone: the guest has some cluster to itself. What may be done there is asked of the main one, in which nobody does it then.
	alone   bool
	proxy   *proxy.Proxy // nil: the scheduler talks to the API server itself
	dir     string
	died    chan error
	stopped chan struct{}
	once    sync.Once
	err     error
}

// SchedulerKubeconfig leads to the proxy, where there is one.
func (r *room) SchedulerKubeconfig() string {
	if r.proxy != nil {
		return r.proxy.Kubeconfig()
	}
	return r.Embedded.SchedulerKubeconfig()
}

// Capabilities are those of the cluster, but for what would disturb others.
func (r *room) Capabilities() []cluster.Capability {
	return slices.DeleteFunc(r.Embedded.Capabilities(), func(c cluster.Capability) bool {
		return c == cluster.RestartComponents && !r.alone || c == cluster.ReadMetrics
	})
}

// Processes are nobody's in particular: what they use is not the guest's to measure.
func (r *room) Processes() map[string]int { return nil }

// Died receives what ended the control plane.
func (r *room) Died() <-chan error { return r.died }

// Stop ends the proxy and gives the cluster back.
func (r *room) Stop(ctx context.Context) error {
	r.once.Do(func() {
		close(r.stopped)
		if r.proxy != nil {
			r.proxy.Close()
			r.err = os.RemoveAll(r.dir)
		}
		r.err = errors.Join(r.err, r.leave(ctx))
	})
	return r.err
}

// lodge finds a control plane for a guest, started where it is not there yet, and gives the function that ends the stay.
func (s *Stage) lodge(ctx context.Context, gates map[string]bool) (*home, func(context.Context) error, error) {
	if len(gates) > 0 {
		return s.borrow(ctx, "guests", gates)
	}
	s.mu.Lock()
	var least *home
	for i := range max(1, s.Spread) {
		if h := s.known(fmt.Sprintf("guests %d", i)); least == nil || h.trials < least.trials {
			least = h
		}
	}
	least.trials++
	s.mu.Unlock()
	leave := func(context.Context) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		least.trials--
		return nil
	}
	least.starting.Do(func() { s.start(ctx, least, nil) })
	return least, leave, least.err
}
