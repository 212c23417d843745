package arrive

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Item is one thing to submit.
type Item struct {
	// Index in the schedule.
	Index int
	// Intended is when it was meant to be submitted: what everything about it is measured from.
	Intended time.Time
}

// Gate holds the scheduler back while a backlog is made.
type Gate interface {
	// Hold returns when the scheduler can no longer bind.
	Hold(ctx context.Context) error
	// Release lets it go.
	Release(ctx context.Context) error
}

// Options of a run. The zero value of every field is a sensible default.
type Options struct {
	// Workers submit at the same time (default 64). Too few, and an open loop falls behind; the Account says so.
	Workers int
	// Gate, where the whole load is to be there before the scheduler begins; nil: it runs all along.
	Gate Gate
	// Clock (default System).
	Clock Clock
}

func (o Options) withDefaults() Options {
	if o.Workers <= 0 {
		o.Workers = 64
	}
	if o.Clock == nil {
		o.Clock = System{}
	}
	return o
}

// ErrIncomplete: not all items of the schedule were submitted. What was is in the Account.
var ErrIncomplete = errors.New("the load is not what was planned")

// Run submits every item of a schedule at its time and returns when all have been answered. Items are handed out in
// order, to any number of workers; one that is slow holds up no other as long as there are workers left.
//
// Items that fail are counted and the others go on, so that the load is as close to the plan as can be; the error wraps
// ErrIncomplete and the first failure. When the context ends, nothing more is submitted. The account is never nil.
func Run(ctx context.Context, schedule Schedule, o Options, submit func(context.Context, Item) error) (*Account, error) {
	o = o.withDefaults()
	a := &Account{Planned: len(schedule), Offered: schedule.Rate()}
	if o.Gate != nil {
		if err := o.Gate.Hold(ctx); err != nil {
			return a, fmt.Errorf("holding the scheduler back: %w", err)
		}
	}
	err := a.run(ctx, schedule, o, submit)
	if o.Gate != nil {
		// Also after a failure: whoever is held back for ever is taken for hanging.
		if e := o.Gate.Release(context.WithoutCancel(ctx)); e != nil {
			err = errors.Join(err, fmt.Errorf("letting the scheduler go: %w", e))
		}
		a.Released = o.Clock.Now()
	}
	return a, err
}

func (a *Account) run(ctx context.Context, schedule Schedule, o Options, submit func(context.Context, Item) error) error {
	// The queue takes the whole schedule: who hands out must never wait for who submits, or lateness would vanish from
	// the account.
	queue := make(chan Item, len(schedule))
	var workers sync.WaitGroup
	var lock sync.Mutex
	var first error
	a.Start = o.Clock.Now()
	for range min(o.Workers, len(schedule)) {
		workers.Go(func() {
			for item := range queue {
				if ctx.Err() != nil {
					continue
				}
				e := Entry{Index: item.Index, Intended: item.Intended.Sub(a.Start), Sent: o.Clock.Now().Sub(a.Start)}
				err := submit(ctx, item)
				e.Done = o.Clock.Now().Sub(a.Start)
				lock.Lock()
				if err != nil {
					a.Failed++
					if first == nil {
						first = fmt.Errorf("submitting item %d: %w", item.Index, err)
					}
				} else {
					a.Entries = append(a.Entries, e)
				}
				lock.Unlock()
			}
		})
	}
	for i, at := range schedule {
		intended := a.Start.Add(at)
		if o.Clock.Until(ctx, intended) != nil {
			break
		}
		queue <- Item{Index: i, Intended: intended}
	}
	close(queue)
	workers.Wait()
	a.sort()
	if first == nil {
		first = context.Cause(ctx)
	}
	if n := len(a.Entries); n < len(schedule) {
		return fmt.Errorf("%w: %d of %d items were submitted, %d failed, the first: %w", ErrIncomplete, n, len(schedule), a.Failed, first)
	}
	return nil
}
