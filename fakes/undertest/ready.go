package undertest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"muster/fakes/cluster"
)

// Exited receives every end after readiness that nobody asked for. One before readiness is Ready's to tell.
func (s *Scheduler) Exited() <-chan *ExitError { return s.exited }

// Ready waits until a canary pod is bound and returns how long that took. It fails with an ExitError when the process
// ends first, with a NotReadyError when the timeout passes, with ctx's error when that is done. Without a process
// (none) it says ready at once: what there is to wait for is not known.
func (s *Scheduler) Ready(ctx context.Context, timeout time.Duration) (time.Duration, error) {
	if s.plan.kind == None {
		return 0, nil
	}
	s.mu.Lock()
	p := s.process
	s.mu.Unlock()
	if p == nil {
		return 0, errors.New("waiting for the scheduler under test: it has not been started")
	}
	began := time.Now()
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	go func() { // an end of the process ends the wait
		select {
		case <-p.Done():
			cancel()
		case <-limited.Done():
		}
	}()
	latency, err := s.bindCanary(limited)
	// Under the lock, because watch looks at ready after the end: exactly one of the two tells of it.
	s.mu.Lock()
	ended := p.Ended() != ""
	s.ready = err == nil && !ended && s.process == p
	s.mu.Unlock()
	switch {
	case ended:
		return 0, s.exit(p, false)
	case err == nil:
		return latency, nil
	}
	if ctx.Err() != nil {
		return 0, fmt.Errorf("waiting for the scheduler under test: %w", context.Cause(ctx))
	}
	if limited.Err() == nil {
		return 0, err
	}
	return 0, &NotReadyError{
		Waited: time.Since(began), SchedulerName: s.plan.Profile.SchedulerNames[0], Cause: err, Log: s.LogTail(logLines),
	}
}

func (s *Scheduler) bindCanary(ctx context.Context) (time.Duration, error) {
	c, err := s.Canary()
	if err != nil {
		return 0, err
	}
	if err := c.Prepare(ctx); err != nil {
		return 0, err
	}
	return c.Bind(ctx)
}

// Canary for further samples during the run; its namespace and node are made by Ready (or by its Prepare).
func (s *Scheduler) Canary() (*Canary, error) {
	own := slices.Contains(s.plan.Cluster.Capabilities(), cluster.CreateNodes)
	return NewCanary(s.plan.Cluster.RESTConfig(), s.plan.Profile.SchedulerNames[0], own)
}
