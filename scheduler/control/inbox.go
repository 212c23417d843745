package control

import (
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// inbox is where other goroutines leave what the loop is to do. It never blocks them.
type inbox struct {
	clock  clock.PassiveClock
	signal chan struct{} // holds a token when there may be something

	mu    sync.Mutex
	news  []func()
	since time.Time // when the oldest of the news was left; zero for none
	spare []func()
}

func newInbox(c clock.PassiveClock) *inbox {
	return &inbox{clock: c, signal: make(chan struct{}, 1)}
}

func (b *inbox) put(f func()) {
	b.mu.Lock()
	if len(b.news) == 0 {
		b.since = b.clock.Now()
	}
	b.news = append(b.news, f)
	b.mu.Unlock()
	select {
	case b.signal <- struct{}{}:
	default:
	}
}

// take returns everything that was left, in order. The slice is valid until the next call.
func (b *inbox) take() []func() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.spare)
	out := b.news
	b.news, b.spare = b.spare[:0], out
	b.since = time.Time{}
	return out
}

// lag is how long the oldest of the news has been waiting.
func (b *inbox) lag() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.since.IsZero() {
		return 0
	}
	return b.clock.Since(b.since)
}
