// Package progress tells a person what a run is at: which scenarios run, and how long it will still take.
package progress

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

// Progress writes a line over and over on a terminal, else a line for everything that ends. It is a run.Progress.
type Progress struct {
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

// New writes to w; terminal says that w is one. Done must be called at the end.
func New(w io.Writer, terminal bool) *Progress {
	p := &Progress{w: w, live: terminal, now: time.Now, stop: make(chan struct{}), weights: map[string]int{}, running: map[string]time.Time{}}
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
func (p *Progress) Done() {
	close(p.stop)
	p.over.Wait()
	p.locked(p.erase)
}

// Phase is what the run is at.
func (p *Progress) Phase(text string) {
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
func (p *Progress) Planned(weights map[string]int) {
	p.locked(func() {
		p.total = len(weights)
		for name, w := range weights {
			p.weights[name] = w
		}
	})
}

// Started: a scenario began.
func (p *Progress) Started(name string) {
	p.locked(func() { p.running[name] = p.now() })
}

// Ended: a scenario came to its end.
func (p *Progress) Ended(name, status string, took time.Duration) {
	p.locked(func() {
		delete(p.running, name)
		delete(p.weights, name)
		if !p.live {
			line := fmt.Sprintf("[%d/%d] %s %s after %.1f s", p.total-len(p.weights), p.total, name, ending(status), took.Seconds())
			if len(p.weights) > 0 {
				line += "; " + p.left()
			}
			p.print(line)
		}
	})
}

// Warn is worth a line of its own.
func (p *Progress) Warn(text string) {
	p.locked(func() {
		p.erase()
		p.print("warning: " + text)
	})
}

// ending is how a scenario ended in the words of a progress line. One that came to its end is done; what it showed is
// judged when all have.
func ending(status string) string {
	if status == "Executed" {
		return "done"
	}
	return strings.ToLower(status)
}

// left says how long the rest takes. The weights are those of scenarios whose waits are answered: where a scheduler
// lets them wait in vain, the estimate is used up before the run is over, and a number would only mislead.
func (p *Progress) left() string {
	if n := p.seconds(); n > 1 {
		return fmt.Sprintf("about %d s left", n)
	}
	return "longer than expected"
}

// seconds estimates those to come: what the longest of those running still needs, and what waits, shared among as
// many as run now.
func (p *Progress) seconds() int {
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

func (p *Progress) draw() {
	line := p.phase
	if len(p.running) > 0 {
		names := make([]string, 0, len(p.running))
		for n := range p.running {
			names = append(names, n)
		}
		slices.SortFunc(names, func(a, b string) int { return p.running[a].Compare(p.running[b]) })
		line = fmt.Sprintf("[%d/%d] %d running, %s; longest: %s", p.total-len(p.weights), p.total, len(names), p.left(), names[0])
	}
	_, _ = fmt.Fprintf(p.w, "\r\x1b[K%s", line)
	p.drawn = true
}

func (p *Progress) erase() {
	if p.drawn {
		_, _ = fmt.Fprint(p.w, "\r\x1b[K")
		p.drawn = false
	}
}

func (p *Progress) print(text string) { _, _ = fmt.Fprintln(p.w, text) }

func (p *Progress) locked(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}
