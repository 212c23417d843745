package control

import (
	"container/heap"
	"time"
)

// agenda is what the loop is to do at some time. Nothing is ever taken off it: what is out of date finds nothing to do.
type agenda struct{ items ordered[appointment] }

type appointment struct {
	at time.Time
	do func()
}

func (a appointment) Before(b appointment) bool { return a.at.Before(b.at) }

func (a *agenda) add(at time.Time, do func()) { heap.Push(&a.items, appointment{at, do}) }

// due takes out the first appointment whose time has come; nil for none.
func (a *agenda) due(now time.Time) func() {
	if len(a.items) == 0 || a.items[0].at.After(now) {
		return nil
	}
	return heap.Pop(&a.items).(appointment).do
}

// next is how long it is until the first appointment; ok is false when there is none.
func (a *agenda) next(now time.Time) (d time.Duration, ok bool) {
	if len(a.items) == 0 {
		return 0, false
	}
	return max(0, a.items[0].at.Sub(now)), true
}
