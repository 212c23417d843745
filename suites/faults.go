package suites

import (
	"context"
	"errors"

	"muster/fakes/faults"
)

// Faults break what the scheduler under test hears from the API server, and nobody else. Whatever is done, and every
// request that is struck, is recorded: see View.Broken, View.Strikes and View.Calls.
type Faults interface {
	// Break puts rules into force; Mend takes them back (all, where none is named). What is in force when the scenario
	// ends is taken back then.
	Break(ctx context.Context, rules ...faults.Rule) error
	Mend(ctx context.Context, names ...string) error
	// Cut ends the scheduler's open watches of a resource ("pods", a pattern of path.Match; empty: of all). It may open
	// them again.
	Cut(ctx context.Context, resource string) error
	// Away lets the API server be away for the scheduler, with every connection lost, until Back.
	Away(ctx context.Context) error
	Back(ctx context.Context) error
	// Count records how many requests the scheduler has made since it was started, under a label.
	Count(ctx context.Context, label string) error
	// KillScheduler ends the scheduler without asking it; StartScheduler starts it again.
	KillScheduler(ctx context.Context) error
}

// BreakAPI is the capability (see fakes/cluster) of a scenario that uses Faults. Such scenarios run in a cluster of
// their profile's own, one after the other, with the scheduler behind a proxy; nothing else pays for it.
const BreakAPI = "break-api"

// Breakable is an Env that has Faults.
type Breakable interface{ Faults() (Faults, error) }

// FaultsOf are the faults of a scenario whose Needs ask for BreakAPI.
func FaultsOf(env Env) (Faults, error) {
	b, ok := env.(Breakable)
	if !ok {
		return nil, errors.New("breaking the API: nothing stands between the scheduler and the API server here; " +
			"the scenario must need " + BreakAPI)
	}
	return b.Faults()
}
