package run

import (
	"context"
	"errors"

	"muster/fakes/cluster"
	"muster/suites"
	"muster/suites/run/plan"
)

// GateWorld is a World whose scheduler under test may have feature gates of its own.
type GateWorld interface {
	// TakesGates reports whether that scheduler can be started with gates.
	TakesGates() bool
	// GatedScheduler is World.Scheduler with gates for the scheduler alone, on top of those it has otherwise.
	GatedScheduler(ctx context.Context, c cluster.Cluster, gates map[string]bool) (Scheduler, error)
}

// withGates adds to an offer what the world can do about the scheduler's gates.
func (o Options) withGates(offer plan.Offer) plan.Offer {
	if w, ok := o.World.(GateWorld); ok && w.TakesGates() {
		offer.Capabilities = append(offer.Capabilities, suites.GateScheduler)
	}
	return offer
}

// makeScheduler makes the scheduler under test, with the session's gates for it.
func (s *session) makeScheduler() (Scheduler, error) {
	if len(s.gates) == 0 {
		return s.o.World.Scheduler(s.ctx, s.cluster)
	}
	w, ok := s.o.World.(GateWorld)
	if !ok {
		return nil, errors.New("giving the scheduler gates of its own: there is no way to here; the scenario must need " + suites.GateScheduler)
	}
	return w.GatedScheduler(s.ctx, s.cluster, s.gates)
}
