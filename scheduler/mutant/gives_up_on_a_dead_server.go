package mutant

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"muster/scheduler/control"
)

// patienceWithServers is how long nothing may answer.
const patienceWithServers = 300 * time.Millisecond

// errGivenUp is what every request ends with once it has.
var errGivenUp = errors.New("the API server was not there")

func init() {
	add(Mutant{
		Name:     "gives-up-on-a-dead-server",
		About:    "Where connections have been cut for a third of a second and nothing was answered, it never asks again.",
		Profiles: []string{robust},
		Kills:    []string{"ROB-019"},
		May:      []string{"INV-001", "INV-004"},
		fault: func() *control.Fault {
			b := &breaker{}
			return &control.Fault{Transport: func(next http.RoundTripper) http.RoundTripper { return circuit{next, b} }}
		},
	})
}

// breaker opens when requests have failed for too long, none of them answered, and never closes again.
type breaker struct {
	mu    sync.Mutex
	since time.Time // of the first failure after the last answer; zero where there is none
	open  bool
}

// note what became of a request.
func (b *breaker) note(answered bool, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case answered:
		b.since = time.Time{}
	case b.since.IsZero():
		b.since = now
	case now.Sub(b.since) >= patienceWithServers:
		b.open = true
	}
}

func (b *breaker) isOpen() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open
}

// circuit goes through a breaker.
type circuit struct {
	http.RoundTripper
	*breaker
}

func (c circuit) RoundTrip(r *http.Request) (*http.Response, error) {
	if c.isOpen() {
		return nil, errGivenUp
	}
	resp, err := c.RoundTripper.RoundTrip(r)
	var dial *net.OpError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded): // its own doing
	case errors.As(err, &dial) && dial.Op == "dial": // nobody there to cut anything
	default:
		c.note(err == nil, time.Now())
	}
	return resp, err
}
