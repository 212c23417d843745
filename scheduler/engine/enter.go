package engine

// enter makes the room usable that is kept for a root, or for others of lower priority; what it returns undoes that.
func (e *Engine) enter(r Root) func() {
	e.solving = r
	kept, seats := e.opened(r), e.yielding(r)
	if len(kept) > 0 {
		e.begin()
		e.lift(kept)
	}
	if len(seats) > 0 {
		e.begin()
		for _, s := range seats {
			e.rise(s)
		}
	}
	return func() {
		for _, s := range seats {
			e.sit(s)
		}
		e.solving = Root{}
		if len(seats) > 0 {
			e.end()
		}
		if len(kept) > 0 {
			e.lower(kept)
		}
	}
}
