package control

import (
	"maps"
	"slices"
	"time"

	"muster/scheduler/engine"
)

// The pause before preemption is considered again for a root it did not help, as long as room comes free somewhere.
const (
	firstRethink = 250 * time.Millisecond
	lastRethink  = 8 * time.Second
)

// helpless is a root that preemption did not help, or all of a class: what did not help one does not help the next, and
// looking for victims takes long enough that ten thousand equal pods must not have it done ten thousand times.
type helpless struct {
	why   string
	freed uint64 // the engine's count of room that came free
	times int
	until time.Time
}

// helplessAlike reports whether preemption was found not to help a root that is alike: nothing has come free since, or the
// pause has not passed. Roots for which room is kept are like no other.
func (s *Scheduler) helplessAlike(root engine.Root) bool {
	if s.nominees[root] != nil || s.kept != nil && s.kept.root == root {
		return false
	}
	class, ok := s.engine.Alike(root)
	if !ok {
		return false
	}
	h := s.alike[class]
	if h == nil || h.freed != s.engine.Freed() && !h.until.After(s.now()) {
		return false
	}
	s.helpless[root] = h
	if h.freed != s.engine.Freed() {
		s.quiet = 0 // it is due
	}
	return true
}

// helped forgets that a root was helpless, and that those alike were.
func (s *Scheduler) helped(root engine.Root) {
	delete(s.helpless, root)
	if class, ok := s.engine.Alike(root); ok {
		delete(s.alike, class)
	}
}

// noHelp remembers why nobody is evicted for a root, and if that is nothing of its own, for all that are alike. It is asked
// about again when room has come free somewhere.
func (s *Scheduler) noHelp(p engine.Plan, own bool) {
	h := s.helpless[p.Root]
	if class, ok := s.engine.Alike(p.Root); ok && !own {
		if h = s.alike[class]; h == nil {
			s.pruneAlike()
			h = &helpless{}
			s.alike[class] = h
		}
	}
	if h == nil {
		h = &helpless{}
	}
	s.helpless[p.Root] = h
	h.why, h.freed = p.Why, s.engine.Freed()
	h.until = s.now().Add(min(firstRethink<<min(h.times, 10), lastRethink))
	h.times++
}

// pruneAlike forgets the classes of which no root is left, before they are many.
func (s *Scheduler) pruneAlike() {
	if len(s.alike) <= 2*len(s.helpless)+64 {
		return
	}
	used := map[*helpless]bool{}
	for _, h := range s.helpless {
		used[h] = true
	}
	maps.DeleteFunc(s.alike, func(_ engine.Class, h *helpless) bool { return !used[h] })
}

// rethink queues the roots that preemption may help by now, a little after room came free: the engine wakes a root when
// there is room for it, not when there would be room together with what could be evicted.
func (s *Scheduler) rethink() {
	freed := s.engine.Freed()
	due := func(h *helpless) bool { return h.freed != freed }
	if s.rethinks || s.quiet == freed+1 {
		return
	}
	if !slices.ContainsFunc(slices.Collect(maps.Values(s.helpless)), due) {
		s.quiet = freed + 1
		return
	}
	s.rethinks = true
	s.agenda.add(s.now().Add(firstRethink), func() {
		s.rethinks = false
		freed = s.engine.Freed()
		for root, h := range s.helpless {
			switch {
			case s.blocked[root] == nil:
				delete(s.helpless, root)
			case due(h) && !h.until.After(s.now()):
				s.enqueue(root)
			}
		}
		s.rethink() // for those whose pause has not passed
	})
}
