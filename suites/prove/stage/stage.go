package stage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"muster/fakes/cluster"
	"muster/fakes/undertest"
	"muster/suites/history/record"
	"muster/suites/run"
	"muster/suites/run/embedded"
)

// Stage has control planes to lend. Its zero value is ready; its methods may be called from any goroutine.
type Stage struct {
	// Name of the clusters: <Name>-<number>. It has to be unique on this machine.
	Name string
	// Options of every cluster; Name and Gates are filled in.
	Options cluster.Options
	// Spread is among how many control planes the trials of schedulers are divided. Default: 1.
	Spread int
	// Starts bounds how many control planes start at a time: whoever starts one puts something in until it is ready. Stages may
	// share it. nil: any number.
	Starts chan struct{}

	mu    sync.Mutex
	homes map[string]*home
	made  int // homes so far
}

// home is one control plane. It lives until the stage is closed, or the only trial that it is there for has ended.
type home struct {
	world *embedded.World
	// alone is held by the trial that has the cluster to itself.
	alone chan struct{}

	starting sync.Once
	cluster  *cluster.Embedded
	err      error
	// trials that are under way in it, or wait for it.
	trials int
	// dead is closed when a component has died, and why is then why.
	dead chan struct{}
	why  error

	scheduling sync.Mutex
	scheduler  *shared

	// hub tells the records of all guests.
	connecting sync.Mutex
	hub        *record.Hub
}

// readyTimeout of the reference scheduler's first canary.
const readyTimeout = time.Minute

// borrow lends the control plane with these gates, started where it is not there yet, and gives the function that returns it; of
// is who shares it, empty for everybody. One with gates of its own is lent to one trial at a time, and ends when nobody waits
// for it.
func (s *Stage) borrow(ctx context.Context, of string, gates map[string]bool) (*home, func(context.Context) error, error) {
	s.mu.Lock()
	h := s.known(of + " " + keyOf(gates))
	h.trials++
	s.mu.Unlock()
	h.starting.Do(func() { s.start(ctx, h, gates) })
	if h.err != nil {
		return nil, nil, h.err
	}
	if len(gates) == 0 {
		return h, func(context.Context) error { return nil }, nil
	}
	select {
	case h.alone <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	return h, func(ctx context.Context) error {
		defer func() { <-h.alone }()
		s.mu.Lock()
		h.trials--
		last := h.trials == 0
		if last {
			s.forget(h)
		}
		s.mu.Unlock()
		if last {
			return h.end(ctx)
		}
		return h.forget(ctx)
	}, nil
}

// known is the home of a key, made where there was none. The stage is locked.
func (s *Stage) known(key string) *home {
	if s.homes == nil {
		s.homes = map[string]*home{}
	}
	h, ok := s.homes[key]
	if !ok {
		name := fmt.Sprintf("%s-%d", s.Name, s.made)
		s.made++
		h = &home{alone: make(chan struct{}, 1), dead: make(chan struct{}), world: &embedded.World{
			Options: s.Options, Name: name, ReadyTimeout: readyTimeout,
			Scheduling: undertest.Options{Scheduler: undertest.Reference}, Backdrop: &embedded.Backdrop{},
		}}
		s.homes[key] = h
	}
	return h
}

// keyOf says which gates are asked for; empty for none.
func keyOf(gates map[string]bool) string {
	var parts []string
	for _, g := range slices.Sorted(maps.Keys(gates)) {
		parts = append(parts, fmt.Sprintf("%s=%t", g, gates[g]))
	}
	return strings.Join(parts, ",")
}

// started starts a control plane when fewer than so many are being started. A start takes a core for some seconds: many at a time
// leave the schedulers that are judged meanwhile nothing to run on.
func (s *Stage) started(ctx context.Context, w *embedded.World, shard string, gates map[string]bool) (cluster.Cluster, error) {
	if s.Starts != nil {
		select {
		case s.Starts <- struct{}{}:
			defer func() { <-s.Starts }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return w.Cluster(ctx, shard, gates)
}

func (s *Stage) start(ctx context.Context, h *home, gates map[string]bool) {
	c, err := s.started(ctx, h.world, run.MainShard, gates)
	if err != nil {
		h.err = fmt.Errorf("starting a control plane to lend: %w", err)
		return
	}
	e, ok := c.(*cluster.Embedded)
	if !ok {
		h.err = fmt.Errorf("starting a control plane to lend: %s is not an embedded one", c.Name())
		return
	}
	h.cluster = e
	go func() { // ends with this process at the latest
		h.why = <-e.Died()
		close(h.dead)
	}()
}

// forget removes what would change how the next trial is answered and belongs to no namespace: a priority class that is
// everybody's default.
func (h *home) forget(ctx context.Context) error {
	client, err := kubernetes.NewForConfig(h.cluster.RESTConfig())
	if err != nil {
		return fmt.Errorf("tidying a cluster that was lent: %w", err)
	}
	classes, err := client.SchedulingV1().PriorityClasses().List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("tidying a cluster that was lent: %w", err)
	}
	for _, c := range classes.Items {
		if !c.GlobalDefault {
			continue
		}
		if err := client.SchedulingV1().PriorityClasses().Delete(ctx, c.Name, metav1.DeleteOptions{}); err != nil {
			return fmt.Errorf("tidying a cluster that was lent: %w", err)
		}
	}
	return nil
}

// Close ends everything.
func (s *Stage) Close(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, h := range s.homes {
		errs = append(errs, h.end(ctx))
	}
	s.homes = nil
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("ending the control planes that were lent: %w", err)
	}
	return nil
}

// forget has the next who asks for a home get another. The stage is locked.
func (s *Stage) forget(h *home) {
	maps.DeleteFunc(s.homes, func(_ string, other *home) bool { return other == h })
}

// leave ends a home that nobody else will ask for: a control plane without work still takes a thirtieth of a core.
func (s *Stage) leave(ctx context.Context, h *home) error {
	s.mu.Lock()
	s.forget(h)
	s.mu.Unlock()
	if err := h.end(ctx); err != nil {
		return fmt.Errorf("ending a control plane that was lent to one trial: %w", err)
	}
	return nil
}

// end stops everything of a home in which no trial is left.
func (h *home) end(ctx context.Context) error {
	if h.hub != nil {
		h.hub.Close()
	}
	var errs []error
	if h.scheduler != nil {
		errs = append(errs, h.scheduler.Scheduler.Close(ctx))
	}
	if h.cluster != nil {
		errs = append(errs, h.cluster.Stop(ctx))
	}
	return errors.Join(errs...)
}
