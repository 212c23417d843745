package history

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// Writer writes JSON lines: the header, then events. Its first error sticks: every later call returns it too, and
// nothing is written after it, so that a file never continues behind a hole. It is not safe for concurrent use.
type Writer struct {
	buf *bufio.Writer
	enc *json.Encoder
	err error
	// lines written, the header included.
	lines int64
}

// NewWriter writes the header, with its Kind and Format filled in.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	out := &Writer{buf: bufio.NewWriterSize(w, 1<<16)}
	out.enc = json.NewEncoder(out.buf)
	out.enc.SetEscapeHTML(false)
	h.Kind, h.Format = HeaderKind, FormatVersion
	return out, out.line("the header", h)
}

// Write adds an event. It reaches the underlying writer with Flush, or when the buffer is full.
func (w *Writer) Write(e *Event) error { return w.line(fmt.Sprintf("event %d", e.Seq), e) }

// Flush hands everything on.
func (w *Writer) Flush() error {
	if w.err == nil {
		w.fail("the last lines", w.buf.Flush())
	}
	return w.err
}

// Err is the error that stuck.
func (w *Writer) Err() error { return w.err }

func (w *Writer) line(what string, v any) error {
	if w.err == nil {
		w.fail(what, w.enc.Encode(v))
		w.lines++
	}
	return w.err
}

func (w *Writer) fail(what string, err error) {
	if err != nil {
		w.err = fmt.Errorf("writing %s of the history (line %d): %w; the record ends here", what, w.lines+1, err)
	}
}

// WriteAll writes a whole history.
func WriteAll(w io.Writer, h *History) error {
	out, err := NewWriter(w, h.Header)
	if err != nil {
		return err
	}
	for i := range h.Events {
		if err := out.Write(&h.Events[i]); err != nil {
			return err
		}
	}
	return out.Flush()
}
