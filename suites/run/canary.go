package run

import (
	"slices"
	"sync"
	"time"
)

// canary remembers the bind latencies of canary pods.
type canary struct {
	mu     sync.Mutex
	all    []time.Duration
	asleep bool
}

// recent is how many latencies count for bounds.
const recent = 5

func newCanary() *canary { return &canary{} }

func (c *canary) took(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, d)
}

// latency is the greatest of the latest latencies: bounds made from it shall be generous.
func (c *canary) latency() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.all) == 0 {
		return 0
	}
	return slices.Max(c.all[max(0, len(c.all)-recent):])
}

// median of all latencies.
func (c *canary) median() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(c.all))
	return sorted[len(sorted)/2]
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
