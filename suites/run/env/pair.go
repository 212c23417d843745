package env

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"muster/fakes/faults"
	"muster/suites"
	"muster/suites/history"
)

// Instance is a scheduler that asks for a lease, behind a breaker of its own.
type Instance interface {
	Scheduler
	// Kill ends it without asking.
	Kill(ctx context.Context) error
	// Close stops it and removes it and its breaker.
	Close(ctx context.Context) error
}

// InstanceFunc makes an instance, not started.
type InstanceFunc func(ctx context.Context) (Instance, Breaker, error)

// Pair stops the scheduler under test and makes two instances of its kind.
func (e *Env) Pair(ctx context.Context) (pair [2]suites.Instance, err error) {
	if e.o.Instance == nil {
		return pair, errors.New("running two schedulers: this session cannot; the scenario must need " + suites.TwoSchedulers)
	}
	if e.pair != nil {
		return pair, errors.New("running two schedulers: they exist already")
	}
	if err := e.StopScheduler(ctx); err != nil {
		return pair, err
	}
	e.pair = []*instance{}
	for i := range pair {
		s, b, err := e.o.Instance(ctx)
		if err != nil {
			return pair, fmt.Errorf("making scheduler %d of two: %w", i+1, err)
		}
		in := &instance{breaking: breaking{e: e, b: b}, Instance: s, name: fmt.Sprintf("scheduler %d", i+1)}
		in.kill = func(ctx context.Context) error { return in.end(ctx, "killed", s.Kill) }
		e.pair = append(e.pair, in)
		pair[i] = in
	}
	return pair, nil
}

// unpair ends the two and starts the scheduler under test again, where it was stopped for them.
func (e *Env) unpair(ctx context.Context) error {
	if e.pair == nil {
		return nil
	}
	var errs []error
	for _, in := range e.pair {
		in.b.Tell(nil)
		errs = append(errs, in.Instance.Close(ctx))
	}
	e.pair = nil
	return errors.Join(append(errs, e.StartScheduler(ctx))...)
}

// instance is suites.Instance. How far it is with the lease shows in its requests: it reads the lease before it waits for
// it, and writes it only when it may have it.
type instance struct {
	breaking
	Instance
	name string

	mu          sync.Mutex
	asks, leads chan struct{} // closed when it has read, and written, a lease; of this life
	led         bool
}

// Rules by which the requests about the lease are told; a millisecond's delay is what they cost.
const asking, leading = " asks for the lease", " has the lease"

// StandBy starts it and waits for its first look at the lease.
func (in *instance) StandBy(ctx context.Context) error {
	in.mu.Lock()
	asks := make(chan struct{})
	in.asks, in.leads, in.led = asks, make(chan struct{}), false
	in.mu.Unlock()
	_ = in.b.Mend(in.name+asking, in.name+leading) // of a former life
	in.tell()
	tick := faults.Fault{Delay: time.Millisecond}
	if err := in.b.Add(
		faults.Rule{Name: in.name + asking, Verb: "get", Resource: "leases", Times: 1, Fault: tick},
		faults.Rule{Name: in.name + leading, Verb: "*ate", Resource: "leases", Times: 1, Fault: tick},
	); err != nil {
		return fmt.Errorf("watching for the lease: %w", err)
	}
	if err := in.Start(ctx); err != nil {
		return fmt.Errorf("starting %s of two: %w", in.name, err)
	}
	in.e.write(history.VerbMend, in.name, history.Action{Label: "started, with a lease to ask for"})
	limited, cancel := context.WithTimeout(ctx, startedWithin)
	defer cancel()
	select {
	case <-asks:
		return nil
	case <-limited.Done():
		return fmt.Errorf("starting %s of two: it did not ask for a lease within %s: it has to keep a Lease object, which "+
			"system:kube-scheduler may have in kube-system by the name kube-scheduler", in.name, startedWithin)
	}
}

// startedWithin is what an instance is given to start and fill its caches.
const startedWithin = time.Minute

// tell has strikes recorded, and looks out for those that tell of the lease.
func (in *instance) tell() {
	in.b.Tell(func(rule string, k int, q faults.Request) {
		in.e.strike(rule, k, q)
		in.mu.Lock()
		defer in.mu.Unlock()
		var done chan struct{}
		switch rule {
		case in.name + asking:
			done = in.asks
		case in.name + leading:
			done = in.leads
		default:
			return
		}
		select {
		case <-done:
		default:
			close(done)
		}
	})
}

// Leads waits for its first write of the lease.
func (in *instance) Leads(ctx context.Context, d time.Duration) bool {
	in.mu.Lock()
	leads := in.leads
	in.mu.Unlock()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-leads:
		in.mu.Lock()
		in.led = true
		in.mu.Unlock()
		in.e.write(history.VerbStart, in.e.o.Scenario.Name, history.Action{Label: in.name + " leads"})
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

// Retire asks it to end.
func (in *instance) Retire(ctx context.Context) error { return in.end(ctx, "asked to end", in.Stop) }

// end ends it in whatever way.
func (in *instance) end(ctx context.Context, how string, f func(context.Context) error) error {
	in.mu.Lock()
	led := in.led
	in.led = false
	in.mu.Unlock()
	if led { // from now on nobody schedules until the other one leads
		in.e.write(history.VerbStop, in.e.o.Scenario.Name, history.Action{Label: in.name + ", which leads, is " + how})
	}
	if err := f(ctx); err != nil {
		return fmt.Errorf("ending %s of two: %w", in.name, err)
	}
	in.e.write(history.VerbBreak, in.name, history.Action{Label: how})
	return nil
}
