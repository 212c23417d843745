package suites

import (
	"context"
	"errors"
	"time"
)

// Instance is one of two schedulers of the kind under test that agree by a lease on which of them schedules. Its Faults
// strike what it alone says and hears; KillScheduler kills it. Between the end of the one that led and Leads of the other
// the record says that no scheduler was there: nobody can blame them for what the lease makes them wait.
type Instance interface {
	Faults
	// StandBy starts it and returns when it has asked for the lease.
	StandBy(ctx context.Context) error
	// Leads waits until it has got the lease, for d at most, and says whether it has.
	Leads(ctx context.Context, d time.Duration) bool
	// Retire asks it to end and waits until it has. One that does not within a few seconds is killed.
	Retire(ctx context.Context) error
}

// TwoSchedulers is the capability of a scenario that uses a Pair, beside BreakAPI. A run offers it where the scheduler under
// test can be told to ask for a lease.
const TwoSchedulers = "run-two-schedulers"

// Paired is an Env that can run two instances.
type Paired interface {
	Pair(ctx context.Context) ([2]Instance, error)
}

// PairOf are two instances, neither of them started. The scheduler under test is stopped for them, and started again when
// the scenario has ended and they have.
func PairOf(ctx context.Context, env Env) ([2]Instance, error) {
	p, ok := env.(Paired)
	if !ok {
		return [2]Instance{}, errors.New("running two schedulers: there is no way to here; the scenario must need " + TwoSchedulers)
	}
	return p.Pair(ctx)
}
