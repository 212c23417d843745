package env

import (
	"context"
	"time"

	"muster/suites/history"
)

// Journal is what an Env writes into and looks at: the recorder of the cluster it acts in. Recorded is one.
type Journal interface {
	// Action appends a driver's event. The journal numbers it and says when it was received.
	Action(e history.Event) history.Folded
	// Now is the time as events carry it.
	Now() (wall time.Time, mono time.Duration)
	// Sync waits until everything that has happened to the scope's objects is part of the record.
	Sync(ctx context.Context, scope *history.Scope) error
	// Follow opens a live view of the scope; it holds what is recorded from now on.
	Follow(scope history.Scope) Live
}

// Live is a view that grows with the record.
type Live interface {
	// Until waits until cond holds, evaluated on the view now and after every event, or until ctx is done. cond must
	// not keep the view.
	Until(ctx context.Context, cond func(*history.View) bool) bool
	// Look hands the view as it is now to f, which must not keep it.
	Look(f func(*history.View))
	// Close ends it.
	Close()
}

// Scheduler is the scheduler under test as scenarios may treat it.
type Scheduler interface {
	Stop(ctx context.Context) error
	Start(ctx context.Context) error
}
