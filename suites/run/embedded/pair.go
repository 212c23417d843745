package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"muster/fakes/cluster"
	"muster/fakes/faults/proxy"
	"muster/fakes/undertest"
	"muster/suites/run"
	"muster/suites/run/env"
)

var _ run.PairWorld = (*World)(nil)

// lease is what instances agree by: half of what Kubernetes' components have by default, so that a scenario does not wait
// long for the second, and long enough for a busy machine to renew it.
var lease = undertest.Lease{Duration: 7 * time.Second, RenewDeadline: 5 * time.Second, RetryPeriod: time.Second}

// Pairs reports whether the scheduler under test can be told to ask for a lease.
func (w *World) Pairs() bool { return w.Scheduling.Elects() }

// instance is a scheduler with the proxy it is behind, and the folder of that.
type instance struct {
	*scheduler
	proxy *proxy.Proxy
	dir   string
}

// Close stops it and removes what it has left.
func (i instance) Close(ctx context.Context) error {
	err := i.scheduler.Close(ctx)
	i.proxy.Close()
	return errors.Join(err, os.RemoveAll(i.dir))
}

// Instance puts one more scheduler of the kind under test in front of the cluster.
func (w *World) Instance(_ context.Context, c cluster.Cluster, seed int64) (run.Instance, env.Breaker, error) {
	b, ok := c.(behind)
	if !ok {
		return nil, nil, fmt.Errorf("cluster %s has no proxy before it: its scheduler cannot be led to a second one", c.Name())
	}
	dir, err := os.MkdirTemp(b.Dir(), "instance-")
	if err != nil {
		return nil, nil, fmt.Errorf("making a folder for a scheduler: %w", err)
	}
	p, err := proxy.Start(proxy.Options{Kubeconfig: b.Embedded.SchedulerKubeconfig(), Dir: dir, Seed: seed})
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	undo := func(err error) (run.Instance, env.Breaker, error) {
		p.Close()
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	o, asked := w.Scheduling, lease
	own := behind{b.Embedded, p}
	o.Cluster, o.Lease = own, &asked
	s, err := undertest.New(o)
	if err != nil {
		return undo(err)
	}
	out, err := newScheduler(s, own, w.ReadyTimeout)
	if err != nil {
		return undo(errors.Join(err, s.Close(context.Background())))
	}
	out.started = true // nobody waits for it to be ready, and an end is a crash from the start
	return instance{out, p, dir}, p, nil
}
