package ceiling

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// job is one thing to be written: a pod's bind (and its claims before that), or a group's condition.
type job struct {
	uid types.UID
	// pod and the name of its node; nil: the group it is.
	pod        *pod
	node       string
	group      key
	generation int64
}

// queue of jobs, first come first served. Its length has no bound: the world has one.
type queue struct {
	mu    sync.Mutex
	some  *sync.Cond
	jobs  []*job
	ended bool
}

func newQueue() *queue {
	q := &queue{}
	q.some = sync.NewCond(&q.mu)
	return q
}

func (q *queue) put(j *job) {
	q.mu.Lock()
	q.jobs = append(q.jobs, j)
	q.mu.Unlock()
	q.some.Signal()
}

// next waits for a job; nil when the queue has ended.
func (q *queue) next() *job {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.jobs) == 0 && !q.ended {
		q.some.Wait()
	}
	if q.ended {
		return nil
	}
	j := q.jobs[0]
	q.jobs[0] = nil
	q.jobs = q.jobs[1:]
	return j
}

// end makes every next return nil. Jobs that have not begun are dropped.
func (q *queue) end() {
	q.mu.Lock()
	q.ended = true
	q.mu.Unlock()
	q.some.Broadcast()
}
