package control

import (
	"time"

	"muster/scheduler/engine"
)

// tryHeads is how many times as long as it took to find that no room can be kept for a root the next one is waited with.
const tryHeads = 9

// blocked is a root for which there was no room.
type blocked struct {
	entry
	since time.Time // of the first attempt, with no success since
	tried time.Time // when room could not be kept for it, because the emptied cluster would not take it either
}

func (s *Scheduler) block(r engine.Root, info engine.RootInfo) {
	b := s.blocked[r]
	if b == nil {
		b = &blocked{since: s.now()}
		s.blocked[r] = b
		s.watchHead()
	}
	s.blockedPods += info.Pending - b.pods
	b.entry = entry{root: r, priority: info.Priority, created: info.Created, pods: info.Pending}
}

func (s *Scheduler) unblock(r engine.Root) {
	if b := s.blocked[r]; b != nil {
		s.blockedPods -= b.pods
		delete(s.blocked, r)
	}
}

// watchHead sees to it that the head is looked for, ten times in its wait, as long as somebody waits.
func (s *Scheduler) watchHead() {
	if s.headWatched {
		return
	}
	s.headWatched = true
	s.agenda.add(s.now().Add(max(s.opts.HeadWait/10, time.Millisecond)), func() {
		s.headWatched = false
		if len(s.blocked) == 0 {
			return
		}
		s.keepRoom()
		s.watchHead()
	})
}

// keepRoom keeps room for the best root that has waited long enough, if the emptied cluster would take it. To find that out
// takes a while in a large cluster, and thousands may wait for what no cluster of this size takes: one is tried at a time, and
// the next after a pause, so that all else goes on.
func (s *Scheduler) keepRoom() {
	now := s.now()
	head := s.findHead(now)
	if head == nil || s.keeping {
		return
	}
	if k := s.kept; k != nil {
		owner := s.blocked[k.root]
		switch {
		case owner != nil && owner != head && before(&owner.entry, &head.entry):
			return
		case owner == head && now.Sub(k.since) < s.opts.HeadWait:
			return
		case owner != head:
			s.release(k.root)
		}
	}
	nodes, ok := s.engine.Reserve(head.root)
	s.stirred = true
	s.opts.Metrics.reserved(ok)
	if ok {
		s.log.Info("keeping room for a root that has waited long", "root", head.root, "waited", now.Sub(head.since).String(), "nodes", len(nodes))
		s.kept = &kept{root: head.root, since: now}
		s.enqueue(head.root)
		return
	}
	s.kept = nil
	s.inVain(head, now)
	s.keeping = true
	s.agenda.add(s.now().Add(tryHeads*s.now().Sub(now)), func() {
		s.keeping = false
		s.keepRoom()
	})
}

// findHead is the best root that has waited long enough and for which room was not found in vain a short while ago.
func (s *Scheduler) findHead(now time.Time) (head *blocked) {
	for _, b := range s.blocked {
		if s.nominees[b.root] != nil { // room is being made for it
			continue
		}
		if now.Sub(b.since) < s.opts.HeadWait || !b.tried.IsZero() && now.Sub(b.tried) < s.opts.HeadWait {
			continue
		}
		if head != nil && !before(&b.entry, &head.entry) {
			continue
		}
		if _, ok := s.engine.Info(b.root); !ok { // it was taken under another root
			s.forgetRoot(b.root)
			continue
		}
		head = b
	}
	return head
}

// inVain notes that the emptied cluster would not take a root, and neither those that are alike.
func (s *Scheduler) inVain(head *blocked, now time.Time) {
	head.tried = now
	class, ok := s.engine.Alike(head.root)
	if !ok {
		return
	}
	for _, b := range s.blocked {
		if c, ok := s.engine.Alike(b.root); ok && c == class {
			b.tried = now
		}
	}
}

// kept is the root for which room is kept.
type kept struct {
	root  engine.Root
	since time.Time
}

// release opens the nodes kept for a root, if there are any.
func (s *Scheduler) release(r engine.Root) {
	if s.kept == nil || s.kept.root != r {
		return
	}
	s.engine.Release(r)
	s.kept = nil
	s.stirred = true
}
