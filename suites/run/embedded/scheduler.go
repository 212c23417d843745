package embedded

import (
	"context"
	"errors"
	"sync"
	"time"

	"muster/fakes/cluster"
	"muster/fakes/undertest"
	"muster/suites/history"
)

// scheduler is undertest.Scheduler as package run knows one.
type scheduler struct {
	*undertest.Scheduler
	timeout time.Duration
	canary  *canaries
	exited  chan history.Sample
	ended   context.Context
	end     context.CancelFunc
	waiting sync.WaitGroup
	// ready is called when the first canary is bound; nil: nobody asked.
	ready func()

	mu      sync.Mutex
	started bool
}

func newScheduler(s *undertest.Scheduler, c cluster.Cluster, timeout time.Duration) (*scheduler, error) {
	canary, err := newCanaries(c, s.Profile().SchedulerNames[0])
	if err != nil {
		return nil, err
	}
	out := &scheduler{Scheduler: s, timeout: timeout, canary: canary, exited: make(chan history.Sample, 16)}
	out.ended, out.end = context.WithCancel(context.Background())
	out.waiting.Go(func() {
		for {
			select {
			case e := <-s.Exited():
				out.crashed(e)
			case <-out.ended.Done():
				return
			}
		}
	})
	return out, nil
}

// Start starts it. When it is started again nobody waits for it to be ready, but an end before that is a crash all the
// same: it had been ready before.
func (s *scheduler) Start(ctx context.Context) error {
	if err := s.Scheduler.Start(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	again := s.started
	s.started = true
	s.mu.Unlock()
	if again {
		s.waiting.Go(func() {
			var exit *undertest.ExitError
			if _, err := s.Scheduler.Ready(s.ended, s.timeout); errors.As(err, &exit) {
				s.crashed(exit)
			}
		})
	}
	return nil
}

func (s *scheduler) crashed(e *undertest.ExitError) {
	select {
	case s.exited <- history.Sample{PID: e.PID, Exit: e.How, Log: e.Log}:
	case <-s.ended.Done():
	}
}

// Ready waits for the first canary.
func (s *scheduler) Ready(ctx context.Context) (time.Duration, error) {
	latency, err := s.Scheduler.Ready(ctx, s.timeout)
	if err == nil && s.ready != nil {
		s.ready()
	}
	return latency, err
}

// Exited receives every end nobody asked for.
func (s *scheduler) Exited() <-chan history.Sample { return s.exited }

// Sample is what it uses now.
func (s *scheduler) Sample() (history.Sample, bool) {
	u := s.Scheduler.Sample()
	return history.Sample{PID: u.PID, CPU: u.CPU, RSS: u.RSS}, u.PID != 0
}

// Canary binds one more canary pod.
func (s *scheduler) Canary(ctx context.Context) (time.Duration, error) { return s.canary.bind(ctx) }

// Close stops it and removes its folder.
func (s *scheduler) Close(ctx context.Context) error {
	s.end()
	err := s.Scheduler.Close(ctx)
	s.waiting.Wait()
	return err
}
