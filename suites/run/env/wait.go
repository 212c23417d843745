package env

import (
	"context"
	"errors"
	"fmt"
	"time"

	"muster/suites/history"
)

// Await waits until cond holds on the live view, or d has passed, or the run ends. Only the first two are recorded as
// an outcome: a wait that was cut short says nothing about the scheduler.
func (e *Env) Await(ctx context.Context, what string, d time.Duration, cond func(*history.View) bool) bool {
	var a history.Action
	a.SentWall, a.SentMono = e.o.Journal.Now()
	waiting, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	held := e.live.Until(waiting, cond)
	a.Label = what
	if held || ctx.Err() == nil {
		a.Held = &held
	}
	e.write(history.VerbAwait, e.o.Scenario.Name, a)
	return held
}

// Hold watches for d, or until the run ends.
func (e *Env) Hold(ctx context.Context, why string, d time.Duration) {
	var a history.Action
	a.SentWall, a.SentMono = e.o.Journal.Now()
	timer := time.NewTimer(d)
	defer timer.Stop()
	held := false
	select {
	case <-timer.C:
		held = true
	case <-ctx.Done():
	}
	a.Label, a.Held = why, &held
	e.write(history.VerbHold, e.o.Scenario.Name, a)
}

// errNoScheduler is a scenario's mistake: it restarts the scheduler without needing the capability.
var errNoScheduler = errors.New("the scheduler under test cannot be stopped here: the scenario must need restart-scheduler")

// StopScheduler stops the scheduler under test.
func (e *Env) StopScheduler(ctx context.Context) error {
	return e.scheduler(ctx, history.VerbStop, Scheduler.Stop)
}

// StartScheduler starts it again.
func (e *Env) StartScheduler(ctx context.Context) error {
	return e.scheduler(ctx, history.VerbStart, Scheduler.Start)
}

// RestartScheduler stops the scheduler under test and starts it again.
func (e *Env) RestartScheduler(ctx context.Context) error {
	if err := e.StopScheduler(ctx); err != nil {
		return err
	}
	return e.StartScheduler(ctx)
}

func (e *Env) scheduler(ctx context.Context, verb string, f func(Scheduler, context.Context) error) error {
	if e.o.Scheduler == nil {
		return errNoScheduler
	}
	var a history.Action
	a.SentWall, a.SentMono = e.o.Journal.Now()
	err := f(e.o.Scheduler, ctx)
	if err != nil {
		a.Response.Message = err.Error()
	}
	e.write(verb, e.o.Scenario.Name, a)
	if err != nil {
		return fmt.Errorf("%s: %w", map[string]string{
			history.VerbStop: "stopping the scheduler", history.VerbStart: "starting the scheduler",
		}[verb], err)
	}
	return nil
}
