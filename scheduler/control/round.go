package control

import (
	"fmt"
	"slices"
	"time"

	"muster/scheduler/engine"
)

// The back-off of roots whose binds failed.
const (
	firstRetry = 100 * time.Millisecond
	lastRetry  = 10 * time.Second
)

// round is a decision being carried out.
type round struct {
	decision engine.Decision
	turn     int64 // its place among all rounds, in the order of their decisions
	began    time.Time
	left     int  // jobs without fate
	failed   int  // pods given back
	lost     int  // pods that are gone or elsewhere
	again    bool // the root was woken meanwhile

	// Of claims, before anything is bound:
	errands []*errand
	open    int    // errands under way
	held    []*job // until all claims are reserved
	refused error  // why one could not be

	// behind are the jobs that wait for the first bind, where binds of the root failed the last time.
	behind []*job
}

// backoff of a root whose last round failed.
type backoff struct {
	times int
	until time.Time
}

// carryOut assumes a decision's placements and hands them to the binders.
func (s *Scheduler) carryOut(d engine.Decision) {
	s.turns++
	r := &round{decision: d, turn: s.turns, began: s.now(), left: len(d.Placements)}
	s.rounds[d.Root] = r
	s.engine.Assume(d.Placements)
	s.stirred = true
	jobs := make([]*job, len(d.Placements))
	for i, p := range d.Placements {
		jobs[i] = &job{Placement: p, round: r, probe: s.opts.Fault.AtOnce}
		s.podWriter.drop(podTarget(p.Pod.Key))
		s.podWriter.drop(nominationTarget(p.Pod.Key))
	}
	s.setOut(r, jobs)
	s.expire(r)
}

// ended notes what became of a job; the last one of a round ends it.
func (s *Scheduler) ended(j *job, f fate, err error) {
	if j.errand != nil {
		s.returned(j, err)
		return
	}
	r := j.round
	if f != isParked && j.vain == nil {
		s.follow(r, f, err)
	}
	switch f {
	case isParked:
		s.park(j)
		return
	case isBound:
		s.distrust.bound(j.Node)
		s.log.V(3).Info("bound", "pod", j.Pod.Key, "node", j.Node)
		s.opts.Metrics.bound(s.now().Sub(r.began))
	case isElse:
		r.lost++
		if st := s.pods[j.Pod.Key]; st != nil && st.uid == j.Pod.UID {
			s.awaited[j.Pod.Key] = r.decision.Root
		}
		s.log.V(2).Info("a pod was gone or bound elsewhere before it could be bound", "pod", j.Pod.Key, "node", j.Node, "answer", err)
	case isFree:
		if j.denied {
			s.distrust.failed(j.Node, s.now())
		}
		r.failed++
		s.opts.Metrics.bindFailed()
		if j.vain == nil {
			s.log.Error(err, "binding failed; the pod is planned anew", "pod", j.Pod.Key, "node", j.Node)
		}
		s.engine.Forget(j.Pod)
		s.engine.ForgetDevices(j.Placement) // should the pod be gone
		s.stirred = true
	}
	if r.left--; r.left == 0 {
		s.finish(r)
	}
}

// send hands a round's jobs to the binders. Where binds of the root have just failed one goes first, each time another one,
// and the rest follows when it has succeeded: while nothing can be bound a large gang asks no more often than a small one.
func (s *Scheduler) send(r *round, jobs []*job) {
	b := s.backoffs[r.decision.Root]
	if b == nil || len(jobs) == 1 || slices.ContainsFunc(jobs, func(j *job) bool { return len(j.Claims) > 0 }) { // volumes are made for all at a time
		s.binder.add(jobs...)
		return
	}
	first := b.times % len(jobs)
	jobs[0], jobs[first] = jobs[first], jobs[0]
	jobs[0].probe = true
	r.behind = jobs[1:]
	s.binder.add(jobs[0])
}

// follow lets those behind go on, or give up, when the fate of the first is known.
func (s *Scheduler) follow(r *round, first fate, err error) {
	jobs := r.behind
	if r.behind = nil; first == isFree {
		for _, j := range jobs {
			j.vain = fmt.Errorf("another bind of the group was refused: %w", err)
		}
	}
	s.binder.add(jobs...)
}

// finish ends a round: what is satisfied is said, what failed is tried again.
func (s *Scheduler) finish(r *round) {
	root := r.decision.Root
	delete(s.rounds, root)
	if r.failed == 0 {
		delete(s.backoffs, root)
	}
	switch {
	case r.failed > 0:
		s.retryLater(root)
	case r.lost > 0: // the event that says so may have come and been passed over already
		s.lookAgain(root)
	default:
		s.confirm(root, r.decision.Groups)
		if r.again || unmet(r.decision.Groups) || len(r.decision.Left) > 0 { // others may have to make room for who was left
			s.lookAgain(root)
		}
	}
}

// unmet reports whether a group is left that the decision did not satisfy; others may have done so meanwhile.
func unmet(groups []engine.GroupResult) bool {
	return slices.ContainsFunc(groups, func(g engine.GroupResult) bool { return g.Exists && !g.Satisfied })
}

// lookAgain queues a root even when nothing of it is pending any more: a condition may be due.
func (s *Scheduler) lookAgain(root engine.Root) {
	s.review[root] = true
	s.enqueue(root)
}

// retryLater puts a root into the queue when its back-off has passed.
func (s *Scheduler) retryLater(root engine.Root) {
	if s.opts.Fault.AtOnce {
		s.lookAgain(root)
		return
	}
	b := s.backoffs[root]
	if b == nil {
		b = &backoff{}
		s.backoffs[root] = b
	}
	b.until = s.now().Add(min(firstRetry<<min(b.times, 10), lastRetry))
	b.times++
	s.agenda.add(b.until, func() { s.lookAgain(root) })
}

// waitsOut reports whether a root is in its back-off; its return to the queue is on the agenda then.
func (s *Scheduler) waitsOut(root engine.Root) bool {
	b := s.backoffs[root]
	return b != nil && b.until.After(s.now())
}
