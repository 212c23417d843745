package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"muster/fakes/cluster/process"
	"muster/suites/history"
)

var (
	// errDead: the control plane lost a component.
	errDead = errors.New("the control plane died")
	// errScheduler: the scheduler under test cannot be kept alive.
	errScheduler = errors.New("the scheduler under test keeps crashing")
)

// watchControlPlane ends the session when a component dies.
func (s *session) watchControlPlane() {
	select {
	case err := <-s.cluster.Died():
		s.end(fmt.Errorf("%w: %w", errDead, err))
	case <-s.ctx.Done():
	}
}

// dead reports whether the control plane has died.
func (s *session) dead() bool { return errors.Is(s.endedBy(), errDead) }

// watchScheduler records every end of the scheduler under test that nobody asked for, and starts it again: the crash
// is a violation, and the other requirements still want a verdict. One that keeps crashing ends the session.
func (s *session) watchScheduler() {
	for crashes := 1; ; crashes++ {
		select {
		case exit := <-s.scheduler.Exited():
			exit.Process = history.ProcessScheduler
			s.recorder.Sample(history.VerbCrash, exit)
			s.o.Progress.Warn(fmt.Sprintf("the scheduler under test ended by itself (%s)", exit.Exit))
		case <-s.ctx.Done():
			return
		}
		if crashes >= s.o.Crashes {
			s.end(fmt.Errorf("%w: it has ended %d times by itself", errScheduler, crashes))
			return
		}
		if err := s.scheduler.Start(s.ctx); err != nil {
			s.end(fmt.Errorf("%w: starting it again: %w", errScheduler, err))
			return
		}
	}
}

// every calls f regularly until the session ends.
func (s *session) every(d time.Duration, f func()) {
	tick := time.NewTicker(d)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			f()
		case <-s.ctx.Done():
			return
		}
	}
}

// sample records what the scheduler under test (where there is one) and the components use, and looks after the record
// itself.
func (s *session) sample() {
	if s.scheduler != nil {
		if sample, ok := s.scheduler.Sample(); ok {
			sample.Process = history.ProcessScheduler
			s.recorder.Sample(history.VerbProcess, sample)
		}
	}
	components := s.cluster.Processes()
	for _, name := range slices.Sorted(maps.Keys(components)) {
		if u, err := process.Alone(components[name]); err == nil { // a role has nothing below it
			s.recorder.Sample(history.VerbProcess, history.Sample{Process: name, PID: components[name], CPU: u.CPU, RSS: u.RSS})
		}
	}
	if err := s.recorder.Err(); err != nil {
		s.end(fmt.Errorf("writing the history %s: %w", s.file, err))
	}
}

// canaryTimeout is how long one canary is waited for. One that is not bound by then measures nothing.
const canaryTimeout = 30 * time.Second

func (s *session) oneCanary() {
	if s.canary.paused() {
		return
	}
	ctx, cancel := context.WithTimeout(s.ctx, canaryTimeout)
	defer cancel()
	took, err := s.scheduler.Canary(ctx)
	if err != nil || s.canary.paused() {
		return
	}
	s.canary.took(took)
	s.recorder.Sample(history.VerbCanary, history.Sample{Process: history.ProcessScheduler, Canary: took})
}
