package run

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"muster/suites"
	"muster/suites/run/env"
	"muster/suites/run/fold"
)

// scenario runs one scenario in a session, from its begin event to its end event.
func (r *runner) scenario(s *session, sc suites.Scenario) {
	if why := s.offer.Lacks(sc, s.unsupported); why != "" {
		r.omit(sc.Name, fold.Unsupported, why)
		return
	}
	began := time.Now()
	r.o.Progress.Started(sc.Name)
	e := env.New(env.Options{
		Scenario: sc, Scope: env.ScopeOf(sc, r.o.Tag, env.SeedOf(r.o.Seed, sc.Name), r.o.Profile),
		Profile: r.o.Profile, Dialect: r.o.Dialect, Client: s.client, Journal: s.recorder,
		Gates: s.offer.Gates, Scheduler: s.restartable(), Canary: s.canary.latency,
		Breaker: s.breaker, Components: s.components(), Instance: s.instances(), Metrics: s.metrics(),
	})
	defer e.Close()
	ctx, cancel := context.WithTimeoutCause(s.ctx, r.o.Limit, fmt.Errorf("the scenario did not end within %s", r.o.Limit))
	defer cancel()
	status, reason := s.outcome(ctx, drive(ctx, sc, e))

	// What follows belongs to the record, so it is done even when the run is being interrupted.
	patience := afterwards
	if s.dead() {
		patience = time.Millisecond // there is nobody to ask
	}
	after, done := context.WithTimeout(context.WithoutCancel(s.ctx), patience)
	defer done()
	e.End(after, string(status), reason)
	tidy := e.Retire
	if r.o.Remove {
		tidy = e.Remove
	}
	if s.ctx.Err() == nil || r.o.Remove {
		if err := tidy(after); err != nil {
			r.o.Progress.Warn(err.Error())
		}
	}
	r.o.Progress.Ended(sc.Name, string(status), time.Since(began))
}

// afterwards bounds what is done after a scenario has ended or was interrupted.
const afterwards = 30 * time.Second

// drive lets the scenario act. A panic is an error with its stack.
func drive(ctx context.Context, sc suites.Scenario, e *env.Env) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("scenario %s panicked, which is a mistake in muster: %v\n%s",
				sc.Name, p, strings.TrimSpace(string(debug.Stack())))
		}
	}()
	if err := e.Prepare(ctx); err != nil {
		return fmt.Errorf("preparing scenario %s: %w", sc.Name, err)
	}
	return sc.Drive(ctx, e)
}

// outcome is how a scenario ended. A context that ended explains every error, and its absence too: waits that were cut
// short prove nothing.
func (s *session) outcome(ctx context.Context, err error) (fold.Status, string) {
	switch ended := s.endedBy(); {
	case ended != nil:
		return fold.Broken, ended.Error()
	case s.ctx.Err() != nil:
		return fold.Interrupted, "interrupted"
	case ctx.Err() != nil:
		return fold.Broken, context.Cause(ctx).Error()
	case err != nil:
		return fold.Broken, err.Error()
	}
	return fold.Executed, ""
}
