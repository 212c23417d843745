package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"muster/workloads/settle"
)

var (
	// ErrNewer: the file's format is newer than this muster's.
	ErrNewer = errors.New("the history's format is newer than this muster reads")
	// ErrNotHistory: the file does not begin with a history's header.
	ErrNotHistory = errors.New("not a history")
)

// MaxLine bounds a line, in bytes: the closing list of a hundred thousand objects stays far below it, and a file
// that is no history at all is not read into memory as one line.
const MaxLine = 64 << 20

// Problem is a line that could not be understood.
type Problem struct {
	// Name of the file, and its line, from 1.
	Name string
	Line int64
	Err  error
}

// Error reads "main.jsonl line 17: …".
func (p *Problem) Error() string { return fmt.Sprintf("%s line %d: %v", p.Name, p.Line, p.Err) }

// Unwrap gives the reason.
func (p *Problem) Unwrap() error { return p.Err }

// Read reads a history strictly: the first line that is corrupt, cut off or out of order is an error (a *Problem)
// that names it. name stands in messages.
func Read(r io.Reader, name string) (*History, error) {
	h, problems, err := ReadAll(r, name)
	if err == nil {
		err = first(problems)
	}
	if err != nil {
		return nil, err
	}
	return h, nil
}

// first is the first problem as an error that says how many there are; nil where there are none.
func first(problems []*Problem) error {
	switch len(problems) {
	case 0:
		return nil
	case 1:
		return problems[0]
	}
	return fmt.Errorf("%w (and %d lines more)", problems[0], len(problems)-1)
}

// ReadAll reads what can be read and lists every line that could not be. Where lines are missing the numbers of the
// events jump, so a view of the history has a gap there. The error is about the header, or about reading itself:
// without a header nothing can be understood.
func ReadAll(r io.Reader, name string) (*History, []*Problem, error) {
	h := &History{Name: name}
	problems, err := scan(r, name, &h.Header, nil, func(e *Event) { h.Events = append(h.Events, *e) })
	if err != nil {
		return nil, nil, err
	}
	return h, problems, nil
}

// scan reads the header, and then hands out every event that could be read. q reads lines where it can, and has the objects
// in them decoded; nil: none are, since whoever keeps the events has no room for that.
func scan(r io.Reader, name string, h *Header, q *quick, each func(*Event)) ([]*Problem, error) {
	in := &lines{r: bufio.NewReaderSize(r, 1<<16)}
	text, err := in.next()
	if err == nil {
		err = readHeader(text, h)
	}
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = fmt.Errorf("%w: the file is empty", ErrNotHistory)
		}
		return nil, &Problem{name, max(in.line, 1), err}
	}
	var problems []*Problem
	var seq int64
	clocks := map[string]time.Duration{}
	for {
		text, err := in.next()
		switch {
		case errors.Is(err, io.EOF):
			return problems, nil
		case errors.Is(err, errLine):
			problems = append(problems, &Problem{name, in.line, err})
			continue
		case err != nil:
			return nil, &Problem{name, in.line, fmt.Errorf("reading: %w", err)}
		}
		e, err := readEvent(text, q, seq, h.Slice != "")
		if e != nil {
			if backwards := e.checkClock(clocks); backwards != nil {
				e, err = nil, errors.Join(err, backwards)
			}
		}
		if err != nil {
			problems = append(problems, &Problem{name, in.line, err})
		}
		if e == nil {
			continue
		}
		seq = e.Seq
		each(e)
	}
}

func readHeader(text []byte, h *Header) error {
	// The format is looked at first: a newer one may have other fields.
	var kind struct {
		Kind   string `json:"kind"`
		Format int    `json:"format"`
	}
	if err := json.Unmarshal(text, &kind); err != nil {
		return fmt.Errorf("%w: the first line is not JSON: %v", ErrNotHistory, err)
	}
	switch {
	case kind.Kind != HeaderKind:
		return fmt.Errorf("%w: the first line has kind %q, not %q", ErrNotHistory, kind.Kind, HeaderKind)
	case kind.Format > FormatVersion:
		return fmt.Errorf("%w: format %d, readable up to %d; use the muster that wrote it", ErrNewer, kind.Format, FormatVersion)
	case kind.Format < 1:
		return fmt.Errorf("%w: format %d does not exist", ErrNotHistory, kind.Format)
	}
	if err := strict(text, h); err != nil {
		return fmt.Errorf("reading the header: %w", err)
	}
	if h.Storage != SingleEtcd && h.Storage != UnknownStorage {
		return fmt.Errorf("reading the header: storage %q is neither %q nor %q", h.Storage, SingleEtcd, UnknownStorage)
	}
	if err := h.Scheduler.check(); err != nil {
		return fmt.Errorf("reading the header: scheduler: %w", err)
	}
	return nil
}

// check refuses a profile by which nothing could be judged, or everything would pass.
func (p *SchedulerProfile) check() error {
	if len(p.SchedulerNames) == 0 || slices.Contains(p.SchedulerNames, "") {
		return fmt.Errorf("schedulerNames is %q: it must name the scheduler whose pods are judged", p.SchedulerNames)
	}
	return settle.Check(p.SettleRoot, p.SettleBase)
}

// readEvent reads a line. Both an event and an error may come back: an event that can be used although something
// before it is missing.
func readEvent(text []byte, q *quick, seq int64, slice bool) (*Event, error) {
	e := &Event{}
	if q == nil || !q.event(text, e) {
		e = &Event{}
		if err := strict(text, e); err != nil {
			return nil, fmt.Errorf("reading an event: %w", err)
		}
	}
	switch {
	case e.Seq <= seq:
		return nil, fmt.Errorf("event %d follows event %d; numbers must rise", e.Seq, seq)
	case e.Verb == "":
		return nil, fmt.Errorf("event %d has no verb", e.Seq)
	case !e.Origin.known():
		return nil, fmt.Errorf("event %d has an unknown origin %q", e.Seq, e.Origin)
	case len(e.Object) > 0 && len(e.Patch) > 0:
		return nil, fmt.Errorf("event %d has both an object and a patch", e.Seq)
	case e.isObject() && (e.UID == "" || e.Resource == ""):
		return nil, fmt.Errorf("event %d is about an object and lacks its uid or resource", e.Seq)
	case len(e.Patch) == 0 && e.Prev != "":
		return nil, fmt.Errorf("event %d has the version before a patch, and no patch", e.Seq)
	case e.badSettle() != nil:
		return nil, fmt.Errorf("event %d begins a scenario: %w", e.Seq, e.badSettle())
	case e.Seq != seq+1 && !slice:
		return e, fmt.Errorf("event %d follows event %d; %d are missing", e.Seq, seq, e.Seq-seq-1)
	}
	return e, nil
}

// badSettle is what is wrong with the settle bound of the scope that an event declares.
func (e *Event) badSettle() error {
	s := e.scope()
	if s == nil || s.SettleRoot == 0 && s.SettleBase == 0 {
		return nil
	}
	return settle.Check(s.SettleRoot, s.SettleBase)
}

// checkClock refuses a time that the recorder's monotonic clock cannot have told: it begins at 0 and never steps back.
// clocks are the last times of the streams.
func (e *Event) checkClock(clocks map[string]time.Duration) error {
	last := clocks[e.Stream]
	switch {
	case e.Mono < 0:
		return fmt.Errorf("event %d has mono %d: a monotonic clock is never negative", e.Seq, e.Mono)
	case e.Mono < last:
		return fmt.Errorf("event %d has mono %d, behind %d of the event before it in stream %q: a monotonic clock never runs backwards",
			e.Seq, e.Mono, last, e.Stream)
	}
	clocks[e.Stream] = e.Mono
	return nil
}

func (o Origin) known() bool {
	switch o {
	case Watch, List, Relist, Driver, Sampling, Closing:
		return true
	}
	return false
}

// strict decodes one JSON value and nothing else; a field it does not know is an error, since ignoring it could
// change what the line means.
func strict(text []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return errors.New("the JSON is cut off")
		}
		return err
	}
	if dec.More() {
		return errors.New("there is more on the line behind the JSON value")
	}
	return nil
}
