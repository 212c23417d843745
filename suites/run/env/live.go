package env

import (
	"context"
	"slices"
	"sync"

	"muster/suites/history"
	"muster/suites/history/record"
)

// Recorded is a recorder as a Journal.
type Recorded struct {
	*record.Recorder
	// Reader of the dialect in which gangs are written.
	Reader history.Dialect
}

// Follow opens a live view.
func (r Recorded) Follow(scope history.Scope) Live {
	h := r.Header()
	ctx, cancel := context.WithCancel(context.Background())
	f := &follower{
		sub: r.Subscribe(), scope: scope, builder: history.NewBuilder(&h, r.Reader, scope),
		waiters: map[*waiter]bool{}, cancel: cancel, done: make(chan struct{}),
	}
	go f.pump(ctx)
	return f
}

// follower keeps a view up to date and asks the conditions of those who wait after every event that may matter to
// them: a condition that held for one event only is seen.
type follower struct {
	sub    *record.Subscription
	scope  history.Scope
	cancel context.CancelFunc
	done   chan struct{}

	mu      sync.Mutex
	builder *history.Builder
	waiters map[*waiter]bool
}

type waiter struct {
	cond func(*history.View) bool
	held chan struct{}
	// panicked is what cond panicked with; it is raised again where the condition was given.
	panicked any
}

func (f *follower) pump(ctx context.Context) {
	defer close(f.done)
	for {
		events, err := f.sub.Next(ctx)
		if err != nil {
			// Closed, or it lagged by a million events: who waits waits in vain, and the verdict will say so.
			return
		}
		f.mu.Lock()
		for _, e := range events {
			f.builder.AddFolded(e)
			if f.relevant(e) {
				f.ask()
			}
		}
		f.mu.Unlock()
	}
}

// relevant leaves out what happens to the objects of other scenarios.
func (f *follower) relevant(e *history.Folded) bool {
	switch {
	case e.Origin == history.Driver:
		return e.Action != nil && e.Action.Scenario == f.scope.Scenario
	case e.Pod != nil && e.Pod.Spec.NodeName != "":
		return true // it may stand on one of the scenario's nodes
	}
	return e.Namespace == "" || slices.Contains(f.scope.Namespaces, e.Namespace)
}

// ask evaluates the conditions; mu is held.
func (f *follower) ask() {
	if len(f.waiters) == 0 {
		return
	}
	v := f.builder.View()
	for w := range f.waiters {
		if w.holds(v) {
			close(w.held)
			delete(f.waiters, w)
		}
	}
}

func (w *waiter) holds(v *history.View) (held bool) {
	defer func() {
		if p := recover(); p != nil {
			w.panicked, held = p, true
		}
	}()
	return w.cond(v)
}

// Until waits for cond.
func (f *follower) Until(ctx context.Context, cond func(*history.View) bool) bool {
	w := &waiter{cond: cond, held: make(chan struct{})}
	f.mu.Lock()
	if w.holds(f.builder.View()) {
		close(w.held)
	} else {
		f.waiters[w] = true
	}
	f.mu.Unlock()
	select {
	case <-w.held:
	case <-ctx.Done():
		f.mu.Lock()
		delete(f.waiters, w)
		f.mu.Unlock()
		// It may have come true in between.
		select {
		case <-w.held:
		default:
			return false
		}
	}
	if w.panicked != nil {
		panic(w.panicked)
	}
	return true
}

// Look hands out the view as it is.
func (f *follower) Look(look func(*history.View)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	look(f.builder.View())
}

// Close ends the view.
func (f *follower) Close() {
	f.cancel()
	<-f.done
	f.sub.Close()
}
