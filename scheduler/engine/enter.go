package engine

// enter makes the room usable that is kept for a root, or for others of lower priority; what it returns undoes that.
func (e *Engine) enter(r Root) func() {
	e.solving = r
	kept, seats := len(e.reserved[r]) > 0, e.yielding(r)
	if kept {
		e.begin()
		e.lift(r)
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
		if kept {
			e.lower(r)
		}
	}
}
