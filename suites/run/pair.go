package run

import (
	"context"
	"fmt"

	"muster/fakes/cluster"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/run/env"
	"muster/suites/run/plan"
)

// PairWorld is a World that can run two instances of the scheduler under test.
type PairWorld interface {
	// Pairs reports whether that scheduler can be told to ask for a lease.
	Pairs() bool
	// Instance makes one that asks for a lease, not started, behind a breaker of its own, in front of a breakable cluster.
	Instance(ctx context.Context, c cluster.Cluster, seed int64) (Instance, env.Breaker, error)
}

// Instance is a scheduler under test that can be killed.
type Instance interface {
	Scheduler
	Kill(ctx context.Context) error
}

// withPairs adds to an offer what the world can do about two schedulers.
func (o Options) withPairs(offer plan.Offer) plan.Offer {
	if w, ok := o.World.(PairWorld); ok && w.Pairs() {
		offer.Capabilities = append(offer.Capabilities, suites.TwoSchedulers)
	}
	return offer
}

// instances makes instances for scenarios; nil where there cannot be two. Their crashes are the scheduler's, and recorded;
// none is started again, since the other one is there for that.
func (s *session) instances() env.InstanceFunc {
	w, ok := s.o.World.(PairWorld)
	if !ok || s.breaker == nil || !w.Pairs() {
		return nil
	}
	return func(ctx context.Context) (env.Instance, env.Breaker, error) {
		in, b, err := w.Instance(ctx, s.cluster, s.o.Seed)
		if err != nil {
			return nil, nil, err
		}
		ended, end := context.WithCancel(s.ctx)
		s.watching.Go(func() {
			for {
				select {
				case exit := <-in.Exited():
					exit.Process = history.ProcessScheduler
					s.recorder.Sample(history.VerbCrash, exit)
					s.o.Progress.Warn(fmt.Sprintf("one of two schedulers ended by itself (%s)", exit.Exit))
				case <-ended.Done():
					return
				}
			}
		})
		return watched{in, end}, b, nil
	}
}

// watched is an instance whose crashes are looked out for until it is closed.
type watched struct {
	Instance
	end context.CancelFunc
}

// Close stops it.
func (w watched) Close(ctx context.Context) error {
	defer w.end()
	return w.Instance.Close(ctx)
}
