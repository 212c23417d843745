package control

import (
	"context"
	"slices"
	"strings"
	"time"

	"muster/scheduler/engine"
)

// loop is the one goroutine that decides, until ctx is done.
func (s *Scheduler) loop(ctx context.Context) {
	for ctx.Err() == nil {
		news := s.takeNews()
		attempted := s.attemptNext()
		due := s.agenda.due(s.now())
		if due != nil {
			due()
		}
		if !news && !attempted && due == nil && !s.stirred {
			s.opts.Metrics.waiting(s.queue.pods, s.blockedPods, len(s.rounds), len(s.backoffs))
			s.rest(ctx)
		}
	}
}

// takeNews lets everything that was left in the inbox happen and queues whom it woke.
func (s *Scheduler) takeNews() bool {
	news := s.inbox.take()
	for _, f := range news {
		f()
	}
	if len(news) == 0 && !s.stirred {
		return false
	}
	s.stirred = false
	s.misbehave()
	for r := range s.doubtful {
		if _, ok := s.engine.Info(r); !ok && s.rounds[r] == nil {
			s.forgetRoot(r)
		}
	}
	clear(s.doubtful)
	for _, r := range s.engine.Woken() {
		s.enqueue(r)
	}
	for r := range s.review {
		s.enqueue(r)
	}
	s.rethink()
	return len(news) > 0
}

// rest waits for news or for the next appointment.
func (s *Scheduler) rest(ctx context.Context) {
	var alarm <-chan time.Time
	if d, ok := s.agenda.next(s.now()); ok {
		timer := s.opts.Clock.NewTimer(d)
		defer timer.Stop()
		alarm = timer.C()
	}
	select {
	case <-s.inbox.signal:
	case <-alarm:
	case <-ctx.Done():
	}
}

// enqueue queues a root, unless a round of it is under way (then it is queued after that) or it waits its back-off out.
func (s *Scheduler) enqueue(r engine.Root) {
	if round := s.rounds[r]; round != nil {
		round.again = true
		return
	}
	if s.waitsOut(r) {
		return
	}
	info, ok := s.engine.Info(r)
	switch {
	case ok && slices.ContainsFunc(info.Schedulers, s.isOurs), s.review[r]:
		if s.opts.Fault.LowestFirst {
			info.Priority = -info.Priority
		}
		s.queue.push(r, info)
	case !ok:
		s.forgetRoot(r)
	}
}

func (s *Scheduler) isOurs(name string) bool { return slices.Contains(s.opts.Names, name) }

// forgetRoot drops what is remembered of a root of which nothing is pending.
func (s *Scheduler) forgetRoot(r engine.Root) {
	s.unblock(r)
	delete(s.notices, r)
	delete(s.backoffs, r)
	delete(s.helpless, r)
	s.release(r)
	s.renounce(r)
}

// attemptNext asks the engine about the first of the queue; false when there is none.
func (s *Scheduler) attemptNext() bool {
	root, ok := s.queue.pop()
	if !ok {
		return false
	}
	info, pending := s.engine.Info(root)
	reviewed := s.review[root]
	delete(s.review, root)
	if pending && !slices.ContainsFunc(info.Schedulers, s.isOurs) || !pending && !reviewed {
		if !pending {
			s.forgetRoot(root)
		}
		return true
	}
	began := s.now()
	d := s.engine.SolveAvoiding(root, s.avoided(began))
	s.linger(began)
	s.opts.Metrics.solved(s.now().Sub(began))
	if change := s.opts.Fault.Decision; change != nil {
		change(&d)
	}
	if len(info.Schedulers) > 1 {
		disagree(&d, "its pods ask for several schedulers: "+strings.Join(info.Schedulers, ", "))
	} else if foreign, found := s.foreign(d); found {
		disagree(&d, "pod "+foreign.String()+" is not known as pending for this scheduler")
	}
	s.awaitRevocation(&d)
	s.opts.Metrics.attempted(d)
	s.log.V(3).Info("attempted", "root", root, "outcome", d.Outcome, "placed", len(d.Placements), "left", len(d.Left), "reason", d.Reason)
	if !pending {
		s.confirm(root, d.Groups)
		s.forgetRoot(root)
		return true
	}
	switch {
	case len(d.Placements) > 0:
		s.unblock(root)
		s.release(root)
		s.carryOut(d)
		s.renounce(root)
		delete(s.helpless, root)
	case d.Outcome == engine.Unschedulable:
		s.confirm(root, d.Groups)
		s.block(root, info)
		s.preempt(root)
		s.hurry(root)
	default:
		s.confirm(root, d.Groups)
		s.unblock(root)
		s.release(root)
		s.renounce(root)
		delete(s.helpless, root)
	}
	s.opts.Metrics.decided(d, s.nominees[root] != nil)
	s.revoke(d.Revoke)
	s.note(d)
	return true
}

// foreign is a pod that a decision would place although it asks for another scheduler, or is not known as pending.
func (s *Scheduler) foreign(d engine.Decision) (engine.Key, bool) {
	for _, p := range d.Placements {
		if st := s.pods[p.Pod.Key]; st == nil || st.uid != p.Pod.UID {
			return p.Pod.Key, true
		}
	}
	return engine.Key{}, false
}

// disagree turns a decision into one that places nothing, because the pods are not what they have to be.
func disagree(d *engine.Decision, why string) {
	refuse(d, engine.Error, engine.Reason{Code: engine.Mixed, Detail: why})
}

// refuse turns a decision into one that places nothing.
func refuse(d *engine.Decision, o engine.Outcome, r engine.Reason) {
	d.Outcome, d.Reason = o, r
	for _, p := range d.Placements {
		d.Left = append(d.Left, engine.Leftover{Pod: p.Pod, Reason: d.Reason})
	}
	d.Placements = nil
	for i := range d.Groups {
		d.Groups[i].Outcome, d.Groups[i].Reason, d.Groups[i].Satisfied, d.Groups[i].Placed = d.Outcome, d.Reason, false, 0
	}
}
