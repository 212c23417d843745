package run

import (
	"context"
	"fmt"
	"slices"

	"muster/fakes/cluster"
	"muster/suites"
	"muster/suites/run/env"
	"muster/suites/run/fold"
	"muster/suites/run/plan"
)

// FaultsShard is the name of the session in which the scheduler under test stands behind a proxy that breaks what it
// hears. It is opened for scenarios that need it, and only then.
const FaultsShard = "faults"

// ShardOf is the name of the session in which a scenario runs.
func ShardOf(sc suites.Scenario) string {
	switch {
	case sc.Isolation == suites.OwnCluster:
		return sc.Name
	case slices.Contains(sc.Needs.Capabilities, suites.BreakAPI):
		return FaultsShard
	}
	return MainShard
}

// FaultWorld is a World that can put such a proxy in front of a cluster.
type FaultWorld interface {
	// Breakable is the cluster as a scheduler sees it that is started from now on: its SchedulerKubeconfig leads to the
	// breaker. Stopping it ends the breaker too.
	Breakable(c cluster.Cluster, seed int64) (cluster.Cluster, env.Breaker, error)
}

// breaking parts the scenarios that break the API from the others.
func breaking(scenarios []suites.Scenario) (others, broken []suites.Scenario) {
	for _, s := range scenarios {
		if slices.Contains(s.Needs.Capabilities, suites.BreakAPI) {
			broken = append(broken, s)
		} else {
			others = append(others, s)
		}
	}
	return others, broken
}

// withFaults is the offer of the clusters of this run together, for the question which scenarios are able to run.
func (r *runner) withFaults(o plan.Offer) plan.Offer {
	if _, ok := r.o.World.(FaultWorld); ok {
		o.Capabilities = append(slices.Clone(o.Capabilities), suites.BreakAPI)
	}
	return r.o.withPairs(o)
}

// faulty runs the scenarios that break the API, one after the other in one cluster. One that does not come up breaks
// them alone.
func (r *runner) faulty(ctx context.Context, scenarios []suites.Scenario) {
	if len(scenarios) == 0 {
		return
	}
	omit := func(status fold.Status, why string) {
		for _, sc := range scenarios {
			r.omit(sc.Name, status, why)
		}
	}
	if ctx.Err() != nil {
		omit(fold.NotRun, "interrupted before its turn")
		return
	}
	s, err := r.open(ctx, FaultsShard, suites.Needs{})
	if err != nil {
		status := fold.Broken
		if ctx.Err() != nil {
			status = fold.Interrupted
		}
		omit(status, err.Error())
		return
	}
	r.exclusive(s, scenarios)
	r.finish(ctx, s)
}

// breakable puts the proxy in front of the session's cluster, where it is the one for that.
func (s *session) breakable() error {
	w, ok := s.o.World.(FaultWorld)
	if s.name != FaultsShard || !ok {
		return nil
	}
	c, breaker, err := w.Breakable(s.cluster, s.o.Seed)
	if err != nil {
		return fmt.Errorf("putting a proxy in front of the cluster %s: %w", s.name, err)
	}
	s.cluster, s.breaker = c, breaker
	return nil
}
