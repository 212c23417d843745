package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"muster/fakes/cluster"
	"muster/fakes/cluster/storage"
	"muster/fakes/scrape"
	"muster/fakes/undertest"
	"muster/perf/scenario"
	"muster/suites/history"
	"muster/suites/history/record"
	"muster/suites/run/plan"
	"muster/workloads/dialect"
)

// apiServerGC spares the observer the moments in which the API server collects its garbage, at the price of memory, of which
// a measured cluster has enough for its few minutes.
const apiServerGC = 800

// stage is one run's cluster with everything in it that runs: the scheduler, the recorder, the probe, the sampler.
type stage struct {
	o     Options
	sized *scenario.Sized
	side  Side
	file  string
	// say is told what the stage is at.
	say func(string)

	ctx    context.Context
	cancel context.CancelCauseFunc

	cluster *cluster.Embedded
	sched   *contender
	rec     *record.Recorder
	driver  *driver
	sampler *sampler
	scraper *scrape.Client
	tally   *tally
	store   *storage.Store
	probes  *prober
	dialect *dialect.Dialect
	profile history.SchedulerProfile

	working sync.WaitGroup
	ending  *endings
}

// open starts a cluster with its nodes and the scheduler, and begins to record. On an error nothing is left running.
func open(ctx context.Context, o Options, s slot, file string, say func(string)) (*stage, error) {
	st := &stage{o: o, sized: s.sized, side: s.side, file: file, say: say}
	st.ctx, st.cancel = context.WithCancelCause(ctx)
	if err := st.start(); err != nil {
		// Before close, which gives the context a cause of its own.
		if cause := context.Cause(st.ctx); cause != nil && ctx.Err() == nil && !errors.Is(err, cause) {
			err = fmt.Errorf("%w (%w)", cause, err)
		}
		return nil, errors.Join(err, st.close())
	}
	return st, nil
}

func (st *stage) start() error {
	options := st.o.Cluster
	options.Progress = st.say
	options.IdleKubelets = !st.sized.Ends()
	options.APIServerGC = apiServerGC
	options.Preload = func(ctx context.Context, store *storage.Store) error { return preload(ctx, store, st.sized, st.say) }
	options.Seed = func(ctx context.Context, cfg *rest.Config) error { return seed(ctx, cfg, st.sized, st.say) }
	var err error
	if st.cluster, err = cluster.Start(st.ctx, options); err != nil {
		return err
	}
	st.working.Go(func() {
		select {
		case err := <-st.cluster.Died():
			st.cancel(fmt.Errorf("the control plane died: %w", err))
		case <-st.ctx.Done():
		}
	})
	cfg := st.cluster.RESTConfig()
	if st.driver, err = newDriver(cfg); err != nil {
		return err
	}
	if err := st.furnish(); err != nil {
		return err
	}
	st.say("waiting for the scheduler to bind a canary pod")
	if err := st.startScheduler(); err != nil {
		return err
	}
	st.quiet()
	st.say("opening the record")
	if err := st.record(cfg); err != nil {
		return err
	}
	st.scraper = scrape.New(cfg.BearerToken)
	st.sampler = &sampler{
		cluster: st.cluster, driver: st.driver, sched: st.sched, scraper: st.scraper,
		apiServer: st.cluster.MetricsURL(cluster.APIServer), crashed: func(err error) { st.cancel(err) },
	}
	st.ending = newEndings(st)
	st.tally = newTally(st.dialect, len(st.sized.Phases), st.ending.bound)
	sub := st.rec.Subscribe()
	st.working.Go(func() { st.tally.follow(st.ctx, sub) })
	st.working.Go(func() { st.sampler.run(st.ctx) })
	st.working.Go(func() {
		st.probes.run(st.ctx, func() time.Duration { _, mono := st.rec.Now(); return mono })
	})
	return nil
}

// furnish makes what needs the controllers.
func (st *stage) furnish() error {
	if err := makeNamespace(st.ctx, st.driver.typed, namespace); err != nil {
		return err
	}
	if err := claimTemplates(st.ctx, st.driver.typed, st.sized); err != nil {
		return err
	}
	var err error
	if st.store, err = st.cluster.OpenStorage(); err != nil {
		return err
	}
	st.probes, err = makeProbes(st.ctx, st.driver.typed, st.store)
	return err
}

func (st *stage) startScheduler() error {
	o := st.side.Scheduling
	o.Cluster = st.cluster
	s, err := undertest.New(o)
	if err != nil {
		return err
	}
	st.sched = &contender{Scheduler: s, driver: st.driver}
	if err := s.Start(st.ctx); err != nil {
		return err
	}
	if _, err := s.Ready(st.ctx, st.o.ReadyTimeout); err != nil {
		return err
	}
	st.profile = profileOf(s.Profile())
	st.dialect, err = dialect.Load(st.profile.Dialect)
	return err
}

// record begins to record what the checks and the measures need, and nothing else: every watch costs the observer and the
// API server.
func (st *stage) record(cfg *rest.Config) error {
	system, err := st.driver.typed.CoreV1().Namespaces().Get(st.ctx, metav1.NamespaceSystem, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("identifying the cluster: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(st.file), 0o755); err != nil {
		return fmt.Errorf("making the directory of the history: %w", err)
	}
	out, err := os.Create(st.file)
	if err != nil {
		return fmt.Errorf("creating the history: %w", err)
	}
	header := history.Header{
		Name: "perf", Cluster: string(system.UID), Storage: history.Storage(st.cluster.Storage()), Versions: st.cluster.Versions(),
		Gates: st.cluster.Gates(), Seed: st.o.Seed, Scheduler: st.profile,
		MusterInfo: map[string]string{plan.InfoShape: st.sized.Shape(), "side": st.side.Name, "revision": st.o.Muster},
	}
	st.rec, err = record.Start(st.ctx, record.Options{
		Config: cfg, Out: out, Header: header, Resources: st.resources(),
		// What is measured is when a bind happened, and not when the API server, busy with the next ones, had time to tell.
		Source:  func(gvr schema.GroupVersionResource) record.Source { return st.store.Feed(gvr) },
		OnError: func(err error) { st.cancel(fmt.Errorf("writing the history: %w", err)) },
	})
	if err != nil {
		_ = out.Close()
		return err
	}
	st.driver.rec, st.driver.about = st.rec, st.sized.Name
	return nil
}

// resources that the scenario has objects of.
func (st *stage) resources() []schema.GroupVersionResource {
	var groups, trees, devices bool
	for _, p := range st.sized.Phases {
		for _, g := range p.Groups {
			groups = groups || g.Policy != scenario.Plain
			trees = trees || len(g.Tree) > 0
			for _, shape := range g.Pods {
				devices = devices || shape.Devices > 0
			}
		}
	}
	out := []schema.GroupVersionResource{{Group: "scheduling.k8s.io", Version: "v1", Resource: "priorityclasses"}}
	if groups {
		out = append(out, st.dialect.Resources()...)
	}
	if gvr, ok := st.dialect.CompositeResource(); ok && trees {
		out = append(out, gvr)
	}
	if devices {
		out = append(out, schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "resourceclaims"})
	}
	return out
}

// closing bounds the end of a stage.
const closing = time.Minute

// close ends everything. It may be called of a stage that was only half opened, and more than once.
func (st *stage) close() error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(st.ctx), closing)
	defer cancel()
	st.cancel(nil)
	var errs []error
	st.working.Wait()
	if st.ending != nil {
		st.ending.close()
	}
	if st.rec != nil {
		if err := st.rec.Close(ctx); err != nil {
			errs = append(errs, err)
		}
	}
	if st.sched != nil {
		errs = append(errs, st.sched.Close(ctx))
	}
	if st.store != nil {
		errs = append(errs, st.store.Close())
	}
	if st.cluster != nil {
		errs = append(errs, st.cluster.Stop(ctx))
	}
	if st.scraper != nil {
		st.scraper.Close()
	}
	return errors.Join(errs...)
}

// profileOf is what is known about the scheduler, in the words of a history.
func profileOf(u undertest.Profile) history.SchedulerProfile {
	return history.SchedulerProfile{
		Name: u.Name, Version: u.Version, SchedulerNames: u.SchedulerNames, Dialect: u.Dialect, Unsupported: u.Unsupported,
		SettleRoot: u.SettleRoot, SettleBase: u.SettleBase,
		Organization: u.Organization, Project: u.Project, URL: u.URL, Contact: u.Contact,
	}
}
