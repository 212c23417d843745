package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

// progress tells on stderr what a run is at: a line that is written over and over on a terminal, else a line for
// everything that ends.
type progress struct {
	w    io.Writer
	live bool
	now  func() time.Time
	stop chan struct{}
	over sync.WaitGroup

	mu      sync.Mutex
	phase   string
	weights map[string]int       // of scenarios that have not ended
	running map[string]time.Time // since when
	total   int
	drawn   bool
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w, live: isTerminal(w), now: time.Now, stop: make(chan struct{}), weights: map[string]int{}, running: map[string]time.Time{}}
	if p.live {
		p.over.Go(func() {
			tick := time.NewTicker(500 * time.Millisecond)
			defer tick.Stop()
			for {
				select {
				case <-tick.C:
					p.locked(p.draw)
				case <-p.stop:
					return
				}
			}
		})
	}
	return p
}

// Done takes the live line away.
func (p *progress) Done() {
	close(p.stop)
	p.over.Wait()
	p.locked(p.erase)
}

// Phase is what the run is at.
func (p *progress) Phase(text string) {
	p.locked(func() {
		if text == p.phase {
			return
		}
		p.phase = text
		if p.live {
			p.draw()
		} else {
			p.print(text)
		}
	})
}

// Planned are the scenarios to come.
func (p *progress) Planned(weights map[string]int) {
	p.locked(func() {
		p.total = len(weights)
		for name, w := range weights {
			p.weights[name] = w
		}
	})
}

// Started: a scenario began.
func (p *progress) Started(name string) {
	p.locked(func() { p.running[name] = p.now() })
}

// Ended: a scenario came to its end.
func (p *progress) Ended(name, status string, took time.Duration) {
	p.locked(func() {
		delete(p.running, name)
		delete(p.weights, name)
		if !p.live {
			p.print(fmt.Sprintf("[%d/%d] %s %s after %.1f s; about %d s left", p.total-len(p.weights), p.total, name,
				strings.ToLower(status), took.Seconds(), p.left()))
		}
	})
}

// Warn is worth a line of its own.
func (p *progress) Warn(text string) {
	p.locked(func() {
		p.erase()
		p.print("warning: " + text)
	})
}

// left estimates the seconds to come: what the longest of those running still needs, and what waits, shared among as
// many as run now.
func (p *progress) left() int {
	longest, waiting := 0, 0
	for name, w := range p.weights {
		since, runs := p.running[name]
		if !runs {
			waiting += w
			continue
		}
		longest = max(longest, w-int(p.now().Sub(since).Seconds()))
	}
	return longest + waiting/max(1, len(p.running))
}

func (p *progress) draw() {
	line := p.phase
	if len(p.running) > 0 {
		names := make([]string, 0, len(p.running))
		for n := range p.running {
			names = append(names, n)
		}
		slices.SortFunc(names, func(a, b string) int { return p.running[a].Compare(p.running[b]) })
		line = fmt.Sprintf("[%d/%d] %d running, about %d s left; longest: %s", p.total-len(p.weights), p.total, len(names), p.left(), names[0])
	}
	_, _ = fmt.Fprintf(p.w, "\r\x1b[K%s", line)
	p.drawn = true
}

func (p *progress) erase() {
	if p.drawn {
		_, _ = fmt.Fprint(p.w, "\r\x1b[K")
		p.drawn = false
	}
}

func (p *progress) print(text string) { _, _ = fmt.Fprintln(p.w, text) }

func (p *progress) locked(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}
