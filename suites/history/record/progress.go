package record

import "muster/suites/history"

// event records an event of the stream and keeps account of what exists.
func (s *stream) event(origin history.Origin, verb string, e history.Event, whole map[string]any) {
	s.eventIf(func() bool { return true }, origin, verb, e, whole)
}

// eventIf does so where cond holds, with nothing recorded in between, and reports whether it did. cond is called with the
// lock held.
func (s *stream) eventIf(cond func() bool, origin history.Origin, verb string, e history.Event, whole map[string]any) bool {
	e.Stream, e.Origin, e.Verb = s.name, origin, verb
	e.Group, e.Version, e.Resource = s.gvr.Group, s.gvr.Version, s.gvr.Resource
	s.rec.lock.Lock()
	if !cond() {
		s.rec.lock.Unlock()
		return false
	}
	_, tell := s.rec.recordLocked(e, whole)
	switch verb {
	case history.VerbAdded, history.VerbModified:
		s.known[e.UID] = identity{e.Namespace, e.Name, e.RV}
		s.advance(origin, e.RV)
	case history.VerbDeleted:
		delete(s.known, e.UID)
		s.ended[e.UID] = e.RV
		s.advance(origin, e.RV)
	case history.VerbSync:
		s.rv = e.RV
	}
	s.rec.lock.Unlock()
	if tell != nil && s.rec.opts.OnError != nil {
		s.rec.opts.OnError(tell)
	}
	return true
}

// advance notes that the watch reached a version. The objects of a list carry versions in no order; the list's own
// says how far it reaches.
func (s *stream) advance(origin history.Origin, rv string) {
	if origin == history.Watch {
		s.rv = rv
	}
}

// bookmark notes that the watch reached a version without an event, and wakes who waits for it.
func (s *stream) bookmark(rv string) {
	s.rec.lock.Lock()
	defer s.rec.lock.Unlock()
	s.rv = rv
	close(s.rec.wake)
	s.rec.wake = make(chan struct{})
}

func (s *stream) reached() string {
	s.rec.lock.Lock()
	defer s.rec.lock.Unlock()
	return s.rv
}
