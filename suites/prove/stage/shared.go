package stage

import (
	"context"
	"sync"
	"time"

	"muster/suites/history"
	"muster/suites/run"
)

// shared is the scheduler of a home as the trials see it: it runs already, and none of them stops it.
type shared struct {
	run.Scheduler
	first time.Duration

	measuring sync.Mutex
}

// ask gives the scheduler of the home, started where it is not there yet.
func (h *home) ask(ctx context.Context) (run.Scheduler, error) {
	h.scheduling.Lock()
	defer h.scheduling.Unlock()
	if h.scheduler != nil {
		return borrowed{h.scheduler, make(chan history.Sample)}, nil
	}
	s, err := h.world.Scheduler(ctx, h.cluster)
	if err != nil {
		return nil, err
	}
	// It outlives the trial that asked first.
	lasting := context.WithoutCancel(ctx)
	if err := s.Start(lasting); err != nil {
		return nil, err
	}
	first, err := s.Ready(ctx)
	if err != nil {
		_ = s.Close(lasting)
		return nil, err
	}
	h.scheduler = &shared{Scheduler: s, first: first}
	return borrowed{h.scheduler, make(chan history.Sample)}, nil
}

// borrowed is the shared scheduler for one trial.
type borrowed struct {
	*shared
	// never receives: a scheduler that crashed would show in every trial at once, as pods that nobody binds.
	never chan history.Sample
}

// Start has nothing to do.
func (borrowed) Start(context.Context) error { return nil }

// Ready is how long the first canary took.
func (b borrowed) Ready(context.Context) (time.Duration, error) { return b.first, nil }

// Stop has nothing to do: the others still need it.
func (borrowed) Stop(context.Context) error { return nil }

// Close has nothing to do; the stage closes it.
func (borrowed) Close(context.Context) error { return nil }

// Exited never receives.
func (b borrowed) Exited() <-chan history.Sample { return b.never }

// Sample is not known of one trial: the process works for all of them.
func (borrowed) Sample() (history.Sample, bool) { return history.Sample{}, false }

// Canary binds one more canary pod, one trial at a time.
func (b borrowed) Canary(ctx context.Context) (time.Duration, error) {
	b.measuring.Lock()
	defer b.measuring.Unlock()
	return b.Scheduler.Canary(ctx)
}
