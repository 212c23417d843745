package control

import (
	"container/heap"
	"time"
)

// agenda is what the loop is to do at some time. Nothing is ever taken off it: what is out of date finds nothing to do.
type agenda struct{ items appointments }

type appointment struct {
	at time.Time
	do func()
}

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

// appointments implements heap.Interface, the earliest first.
type appointments []appointment

func (h appointments) Len() int           { return len(h) }
func (h appointments) Less(i, j int) bool { return h[i].at.Before(h[j].at) }
func (h appointments) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *appointments) Push(x any)        { *h = append(*h, x.(appointment)) }
func (h *appointments) Pop() any {
	old := *h
	x := old[len(old)-1]
	old[len(old)-1] = appointment{}
	*h = old[:len(old)-1]
	return x
}
