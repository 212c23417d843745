package stage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"muster/fakes/cluster"
	"muster/fakes/faults"
	"muster/fakes/faults/proxy"
	"muster/suites/run"
	"muster/suites/run/embedded"
)

// Trial is what one trial asks of the stage.
type Trial struct {
	// Rules of its proxy.
	Rules []faults.Rule
	// Name of the trial, unique among those that have clusters to themselves.
	Name string
	// Alone reports whether the trial has the cluster of a shard to itself, so that it may restart its components; nil: it has none.
	Alone func(shard string) bool
}

func (t Trial) alone(shard string) bool { return t.Alone != nil && t.Alone(shard) }

// World is what one trial is staged in: the clusters of the stage, each behind a proxy that carries out the rules. base is
// that of the run, of which the recorder and the clients are used.
func (s *Stage) World(base *embedded.World, t Trial) run.World {
	return &world{World: base, stage: s, trial: t}
}

type world struct {
	*embedded.World
	stage *Stage
	trial Trial
}

var _ run.World = (*world)(nil)

// Cluster lends one. For a shard in which it is alone a trial is lent one that nobody else is, and that ends with it.
func (w *world) Cluster(ctx context.Context, shard string, gates map[string]bool) (cluster.Cluster, error) {
	of, alone := "", w.trial.alone(shard)
	if alone {
		of = w.trial.Name + " " + shard
	}
	h, giveBack, err := w.stage.borrow(ctx, of, gates)
	if err != nil {
		return nil, err
	}
	if alone {
		giveBack = func(ctx context.Context) error { return w.stage.leave(ctx, h) }
	}
	l := &lent{Embedded: h.cluster, home: h, alone: w.trial.Alone != nil, giveBack: giveBack, died: make(chan error, 1), stopped: make(chan struct{})}
	if err := l.open(w.trial.Rules); err != nil {
		return nil, errors.Join(err, giveBack(ctx))
	}
	return l, nil
}

// Scheduler is the reference scheduler in front of the cluster, which the trials share.
func (w *world) Scheduler(ctx context.Context, c cluster.Cluster) (run.Scheduler, error) {
	l, ok := c.(*lent)
	if !ok {
		return nil, fmt.Errorf("cluster %s is not one that was lent", c.Name())
	}
	return l.home.ask(ctx)
}

// lent is a cluster behind a proxy.
type lent struct {
	*cluster.Embedded
	home *home
	// alone: the trial has some cluster to itself. What may be done there is asked of the main one, in which nobody does it then.
	alone    bool
	giveBack func(context.Context) error
	proxy    *proxy.Proxy
	dir      string
	config   *rest.Config
	died     chan error
	stopped  chan struct{}
	once     sync.Once
	err      error
}

// open starts the proxy.
func (l *lent) open(rules []faults.Rule) (err error) {
	if l.dir, err = os.MkdirTemp(l.Dir(), "lent-"); err != nil {
		return fmt.Errorf("making a folder for a proxy: %w", err)
	}
	if l.proxy, err = proxy.Start(proxy.Options{Kubeconfig: l.Embedded.Kubeconfig(), Dir: l.dir}); err != nil {
		return err
	}
	if err = l.proxy.Add(rules...); err == nil {
		l.config, err = clientcmd.BuildConfigFromFlags("", l.proxy.Kubeconfig())
	}
	if err != nil {
		l.proxy.Close()
		return fmt.Errorf("standing between a trial and the API server: %w", err)
	}
	direct := l.Embedded.RESTConfig()
	l.config.QPS, l.config.Burst, l.config.UserAgent = direct.QPS, direct.Burst, direct.UserAgent
	l.config.WarningHandlerWithContext, l.config.DisableCompression = direct.WarningHandlerWithContext, direct.DisableCompression
	go func() {
		select {
		case <-l.home.dead:
			l.died <- l.home.why
		case <-l.stopped:
		}
	}()
	return nil
}

// RESTConfig leads to the proxy.
func (l *lent) RESTConfig() *rest.Config { return rest.CopyConfig(l.config) }

// Kubeconfig leads to the proxy.
func (l *lent) Kubeconfig() string { return l.proxy.Kubeconfig() }

// Capabilities are those of the cluster, but for what would disturb others.
func (l *lent) Capabilities() []cluster.Capability {
	return slices.DeleteFunc(l.Embedded.Capabilities(), func(c cluster.Capability) bool {
		return c == cluster.RestartScheduler || c == cluster.BreakAPI || c == cluster.ReadMetrics || c == cluster.RestartComponents && !l.alone
	})
}

// Died receives what ended the control plane.
func (l *lent) Died() <-chan error { return l.died }

// Stop ends the proxy and gives the cluster back.
func (l *lent) Stop(ctx context.Context) error {
	l.once.Do(func() {
		close(l.stopped)
		l.proxy.Close()
		l.err = errors.Join(os.RemoveAll(l.dir), l.giveBack(ctx))
	})
	return l.err
}
