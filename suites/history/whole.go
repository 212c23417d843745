package history

import (
	"bufio"
	"io"
	"time"
)

// Scan reads a history strictly, as Read does, and hands its events out one by one instead of keeping them. h is filled in
// before the first. After an error what was handed out is worth nothing.
func Scan(r io.Reader, name string, h *Header, each func(*Event)) error {
	problems, err := scan(r, name, h, newQuick(), each)
	if err != nil {
		return err
	}
	return first(problems)
}

// Whole makes the view of the whole of a history, what NewView gives for the zero scope, while it is read. Events are
// forgotten as soon as the view has taken them, so that a record of a million events needs the room of what it tells of
// and not of how often it tells it.
type Whole struct {
	h *History
	b *Builder
}

// NewWhole begins one. reader may be nil: then there are no gangs.
func NewWhole(h Header, name string, reader Dialect) *Whole {
	w := &Whole{h: &History{Header: h, Name: name}}
	w.b = NewBuilder(&w.h.Header, reader, Scope{})
	return w
}

// Add takes the next event. What cannot be folded has become a gap.
func (w *Whole) Add(e *Event) { _ = w.b.Add(*e) }

// History is the history that was read, with its view and without its Events: it can be judged as a whole, and neither be
// merged nor sliced. Nothing may be added after it.
func (w *Whole) History() *History {
	w.b.gaps = append(w.b.gaps, w.b.folder.Finish()...)
	w.h.whole = w.b.View()
	return w.h
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
