package history

import (
	"bufio"
	"fmt"
	"io"
	"time"
)

// ReadWhole reads a history strictly, as Read does, for whoever only wants the view of the whole of it: what NewView gives
// for the zero scope. Events are forgotten as soon as the view has taken them, so that a record of a million events
// needs the room of what it tells of and not of how often it tells it. dialect finds the reader of gangs by the name in
// the header. The history has no Events and cannot be merged or sliced.
func ReadWhole(r io.Reader, name string, dialect func(string) (Dialect, error)) (*History, error) {
	h := &History{Name: name}
	var b *Builder
	var unknown error
	problems, err := scan(r, name, &h.Header, func(e *Event) {
		if b == nil {
			var reader Dialect
			reader, unknown = dialect(h.Header.Scheduler.Dialect)
			b = NewBuilder(&h.Header, reader, Scope{})
		}
		_ = b.Add(*e) // the error has become a gap
	})
	switch {
	case err != nil:
		return nil, err
	case len(problems) > 0:
		return nil, first(problems)
	case unknown != nil:
		return nil, &Problem{name, 1, fmt.Errorf("reading the header: scheduler.dialect: %w", unknown)}
	case b == nil:
		b = NewBuilder(&h.Header, nil, Scope{})
	}
	b.gaps = append(b.gaps, b.folder.Finish()...)
	h.whole = b.View()
	return h, nil
}

// Length is the time of the last event since the record was started; 0 of an empty one.
func (h *History) Length() time.Duration {
	if h.whole != nil {
		return h.whole.Now().Mono
	}
	if n := len(h.Events); n > 0 {
		return h.Events[n-1].Mono
	}
	return 0
}

// ReadHeader reads the first line and no more.
func ReadHeader(r io.Reader) (h Header, err error) {
	in := &lines{r: bufio.NewReaderSize(r, 1<<12)}
	text, err := in.next()
	if err == nil {
		err = readHeader(text, &h)
	}
	return h, err
}
