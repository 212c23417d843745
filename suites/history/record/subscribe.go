package record

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"muster/suites/history"
)

var (
	// ErrLagged: a subscriber left more events unread than Options.MaxLag, and was cut off.
	ErrLagged = errors.New("the subscriber left too many events unread")
	// ErrClosed: the recorder or the subscription was closed; there are no more events.
	ErrClosed = errors.New("the recorder is closed")
)

// entry is an element of the list of events in memory. The recorder holds its end only and every subscriber the place
// it has read to, so what all have read is garbage: a subscriber costs what it leaves unread, and no more than MaxLag
// events of that. Nobody ever waits for a subscriber.
type entry struct {
	folded history.Folded
	number int64
	next   atomic.Pointer[entry]
}

// Subscription gives the events that are recorded from Subscribe on.
type Subscription struct {
	rec  *Recorder
	lock sync.Mutex
	at   *entry // the last one read
	err  error
}

// Subscribe starts a subscription with the next event. Objects that exist already are known to the recorder, so
// their next event comes with its whole form; subscribe before creating what is to be seen from its beginning.
func (r *Recorder) Subscribe() *Subscription {
	r.lock.Lock()
	defer r.lock.Unlock()
	s := &Subscription{rec: r, at: r.tail}
	r.subscribers[s] = true
	return s
}

// Next waits for events and returns all there are, at least one, in order. It fails with the context's error,
// ErrLagged, or ErrClosed after the last event.
func (s *Subscription) Next(ctx context.Context) ([]*history.Folded, error) {
	for {
		wake := s.rec.wakeup()
		if out, err := s.Ready(); len(out) > 0 || err != nil {
			return out, err
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Ready is Next without waiting: it returns nothing where there is nothing.
func (s *Subscription) Ready() ([]*history.Folded, error) {
	closed := s.rec.isClosed() // looked at before the list, so that nothing is missed
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.err != nil {
		return nil, s.err
	}
	var out []*history.Folded
	for next := s.at.next.Load(); next != nil; next = s.at.next.Load() {
		out = append(out, &next.folded)
		s.at = next
	}
	if len(out) == 0 && closed {
		return nil, ErrClosed
	}
	return out, nil
}

// Close ends the subscription.
func (s *Subscription) Close() {
	s.rec.lock.Lock()
	delete(s.rec.subscribers, s)
	s.rec.lock.Unlock()
	s.end(ErrClosed)
}

func (s *Subscription) end(err error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.at = nil
	if s.err == nil {
		s.err = err
	}
}

// lag is how many events are unread.
func (s *Subscription) lag(newest int64) int64 {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.at == nil {
		return 0
	}
	return newest - s.at.number
}

// publish appends an event and wakes whoever waits. Called with the recorder's lock held.
func (r *Recorder) publish(f history.Folded) {
	e := &entry{folded: f, number: r.tail.number + 1}
	r.tail.next.Store(e)
	r.tail = e
	close(r.wake)
	r.wake = make(chan struct{})
	const often = 256
	if e.number%often != 0 {
		return
	}
	for s := range r.subscribers {
		if s.lag(e.number) > r.opts.MaxLag {
			s.end(ErrLagged)
			delete(r.subscribers, s)
		}
	}
}

// wakeup is closed when something was recorded or the recorder closed.
func (r *Recorder) wakeup() <-chan struct{} {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.wake
}

func (r *Recorder) isClosed() bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.closed
}
