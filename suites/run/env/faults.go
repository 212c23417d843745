package env

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"muster/fakes/faults"
	"muster/suites"
	"muster/suites/history"
)

// Breaker is what stands between the scheduler under test and the API server (a proxy.Proxy).
type Breaker interface {
	Add(rules ...faults.Rule) error
	Mend(names ...string) error
	Cut(resource string) int
	Away() error
	Back() error
	Calls() map[string]int
	Tell(f func(rule string, k int, q faults.Request))
}

// Faults are those of the session's breaker. Strikes are recorded from the first call on.
func (e *Env) Faults() (suites.Faults, error) {
	if e.o.Breaker == nil {
		return nil, errors.New("breaking the API: nothing stands between the scheduler and the API server in this session; " +
			"the scenario must need " + suites.BreakAPI)
	}
	e.o.Breaker.Tell(e.strike)
	return &breaking{e: e, b: e.o.Breaker, kill: e.killScheduler}, nil
}

// strike records that a rule struck.
func (e *Env) strike(rule string, k int, q faults.Request) {
	e.write(history.VerbStrike, rule, history.Action{Label: fmt.Sprintf("%d: %s %s/%s", k, q.Kind(), q.Namespace, q.Name)})
}

// unbreak takes back whatever the scenario has left in force.
func (e *Env) unbreak() {
	if b := e.o.Breaker; b != nil {
		b.Tell(nil)
		_ = b.Mend()
		_ = b.Back() // it was not away: that is what it should be
	}
}

// breaking is suites.Faults of one scheduler: it records every deed.
type breaking struct {
	e    *Env
	b    Breaker
	kill func(context.Context) error
}

// Break puts rules into force.
func (b *breaking) Break(_ context.Context, rules ...faults.Rule) error {
	if err := b.b.Add(rules...); err != nil {
		return fmt.Errorf("breaking the API: %w", err)
	}
	for _, r := range rules {
		b.e.write(history.VerbBreak, r.Name, history.Action{Label: r.String()})
	}
	return nil
}

// Mend takes rules back.
func (b *breaking) Mend(_ context.Context, names ...string) error {
	if err := b.b.Mend(names...); err != nil {
		return fmt.Errorf("mending the API: %w", err)
	}
	for _, n := range names {
		b.e.write(history.VerbMend, n, history.Action{})
	}
	return nil
}

// Cut ends open watches.
func (b *breaking) Cut(_ context.Context, resource string) error {
	n := b.b.Cut(resource)
	b.e.write(history.VerbBreak, "cut "+resource, history.Action{Label: fmt.Sprintf("%d watches cut", n)})
	return nil
}

// Away lets the API server be away.
func (b *breaking) Away(context.Context) error {
	if err := b.b.Away(); err != nil {
		return fmt.Errorf("breaking the API: %w", err)
	}
	b.e.write(history.VerbBreak, away, history.Action{})
	return nil
}

// Back ends that.
func (b *breaking) Back(context.Context) error {
	if err := b.b.Back(); err != nil {
		return fmt.Errorf("mending the API: %w", err)
	}
	b.e.write(history.VerbMend, away, history.Action{})
	return nil
}

// away is the name under which it is recorded that the API server was away.
const away = "away"

// Count records how many requests there were.
func (b *breaking) Count(_ context.Context, label string) error {
	body, err := json.Marshal(b.b.Calls())
	if err != nil {
		return fmt.Errorf("counting requests: %w", err)
	}
	b.e.write(history.VerbCalls, label, history.Action{Response: history.Response{Object: body}})
	return nil
}

// killer is a Scheduler that can be ended without being asked.
type killer interface {
	Kill(ctx context.Context) error
}

// KillScheduler ends the scheduler without asking it.
func (b *breaking) KillScheduler(ctx context.Context) error { return b.kill(ctx) }

// killScheduler kills the scheduler under test.
func (e *Env) killScheduler(ctx context.Context) error {
	return e.scheduler(ctx, history.VerbStop, func(s Scheduler, ctx context.Context) error {
		k, ok := s.(killer)
		if !ok {
			return errors.New("it cannot be killed here, only stopped")
		}
		return k.Kill(ctx)
	})
}
