package run

import (
	"slices"
	"sync"
	"time"
)

// canary remembers the latest bind latencies of canary pods.
type canary struct {
	mu     sync.Mutex
	last   []time.Duration
	asleep bool
}

// recent is how many latencies count.
const recent = 5

func newCanary() *canary { return &canary{} }

func (c *canary) took(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = append(c.last, d)
	if len(c.last) > recent {
		c.last = c.last[1:]
	}
}

// latency is the greatest of the latest latencies: bounds made from it shall be generous.
func (c *canary) latency() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.last) == 0 {
		return 0
	}
	return slices.Max(c.last)
}

func (c *canary) pause()  { c.set(true) }
func (c *canary) resume() { c.set(false) }

func (c *canary) set(asleep bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asleep = asleep
}

func (c *canary) paused() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asleep
}
