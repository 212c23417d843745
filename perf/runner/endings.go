package runner

import (
	"context"
	"sync"
	"time"
)

// endings makes pods end when their time has come: those of phases whose pods live for a while, each so long after it was
// bound.
type endings struct {
	st     *stage
	ctx    context.Context
	cancel context.CancelFunc
	// tokens bound the requests under way.
	tokens  chan struct{}
	pending sync.WaitGroup
}

func newEndings(st *stage) *endings {
	e := &endings{st: st, tokens: make(chan struct{}, 16)}
	e.ctx, e.cancel = context.WithCancel(st.ctx)
	return e
}

// bound notes that a pod has been bound; it does not block.
func (e *endings) bound(pod string, phase int) {
	if lives := e.st.sized.Phases[phase].LivesSeconds; lives > 0 {
		e.pending.Go(func() { e.after(time.Duration(lives)*time.Second, pod) })
	}
}

// after ends a pod in d. A request that is refused is recorded as such; the pod then lives on.
func (e *endings) after(d time.Duration, pod string) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-e.ctx.Done():
		return
	}
	e.now(pod)
}

func (e *endings) now(pod string) { e.request(pod, e.st.driver.finish) }

// request sends one, when its turn has come. One that is refused is recorded as such.
func (e *endings) request(pod string, send func(context.Context, string) error) {
	select {
	case e.tokens <- struct{}{}:
	case <-e.ctx.Done():
		return
	}
	defer func() { <-e.tokens }()
	_ = send(e.ctx, pod)
}

// all ends pods at once and deletes others, and returns when every request has been answered.
func (e *endings) all(finish, remove []string) {
	var wg sync.WaitGroup
	for _, pod := range finish {
		wg.Go(func() { e.request(pod, e.st.driver.finish) })
	}
	for _, pod := range remove {
		wg.Go(func() { e.request(pod, e.st.driver.remove) })
	}
	wg.Wait()
}

// close gives up what has not ended yet.
func (e *endings) close() {
	e.cancel()
	e.pending.Wait()
}
