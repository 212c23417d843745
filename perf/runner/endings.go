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

func (e *endings) now(pod string) {
	select {
	case e.tokens <- struct{}{}:
	case <-e.ctx.Done():
		return
	}
	defer func() { <-e.tokens }()
	_ = e.st.driver.finish(e.ctx, pod)
}

// all ends pods at once, and returns when every request has been answered.
func (e *endings) all(pods []string) {
	var wg sync.WaitGroup
	for _, pod := range pods {
		wg.Go(func() { e.now(pod) })
	}
	wg.Wait()
}

// close gives up what has not ended yet.
func (e *endings) close() {
	e.cancel()
	e.pending.Wait()
}
