package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/metadata"

	"muster/suites/history"
)

// Recorder records one cluster. Its methods may be called from any goroutine.
type Recorder struct {
	opts    Options
	streams []*stream
	skipped []schema.GroupVersionResource
	meta    metadata.Interface
	stop    context.CancelFunc
	running sync.WaitGroup

	lock   sync.Mutex
	header history.Header
	folder *history.Folder
	writer *history.Writer
	seq    int64
	err    error
	told   bool
	closed bool
	// tail of the list of events in memory; wake is closed and replaced with every event.
	tail        *entry
	wake        chan struct{}
	subscribers map[*Subscription]bool
}

// Start begins to record: it returns when every resource was listed once, so what is created afterwards is recorded
// from its beginning. The context is for starting only; Close ends the recording.
func Start(ctx context.Context, opts Options) (*Recorder, error) {
	if opts.Config == nil || opts.Out == nil {
		return nil, errors.New("starting the recorder: Config and Out are required")
	}
	if opts.Hub != nil && opts.Keep == nil {
		return nil, errors.New("starting the recorder: Keep is required with a hub")
	}
	opts.fillIn()
	r, err := newRecorder(opts)
	if err != nil {
		return nil, fmt.Errorf("starting the recorder: %w", err)
	}
	if err := r.connect(ctx); err != nil {
		return nil, fmt.Errorf("starting the recorder: %w", err)
	}
	if err := r.run(ctx); err != nil {
		return nil, fmt.Errorf("starting the recorder: %w", err)
	}
	return r, nil
}

// newRecorder writes the header.
func newRecorder(opts Options) (*Recorder, error) {
	w, err := history.NewWriter(opts.Out, opts.Header)
	if err != nil {
		return nil, err
	}
	if err := w.Flush(); err != nil {
		return nil, err
	}
	header := opts.Header
	return &Recorder{opts: opts, header: header, folder: history.NewFolder(&header), writer: w,
		tail: &entry{}, wake: make(chan struct{}), subscribers: map[*Subscription]bool{}}, nil
}

// run lists every resource and starts the watches.
func (r *Recorder) run(ctx context.Context) error {
	for _, s := range r.streams {
		if err := s.list(ctx, history.List); err != nil {
			return err
		}
	}
	watching, stop := context.WithCancel(context.Background())
	r.stop = stop
	for _, s := range r.streams {
		r.running.Go(func() { s.run(watching) })
	}
	r.running.Go(func() { r.flush(watching) })
	return nil
}

// Header of the history as it was written.
func (r *Recorder) Header() history.Header { return r.header }

// Skipped are the resources that were asked for and are not served.
func (r *Recorder) Skipped() []schema.GroupVersionResource { return r.skipped }

// Err is the first error of writing. Recording in memory goes on after it (live scenarios still see their events),
// but the file ends where it happened, and readers will find it cut off.
func (r *Recorder) Err() error {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.err
}

// Now is the time on the recorder's clocks: what belongs into Action.SentWall and SentMono.
func (r *Recorder) Now() (wall time.Time, mono time.Duration) {
	return r.opts.Clock.Wall().UTC(), r.opts.Clock.Mono()
}

// Action records what the driver did and what came back; it is called when the response is there. Seq, Origin, Wall
// and Mono are filled in, and Stream where it is empty. Objects are stripped of what may not be kept. The result is
// the event as it was recorded, with its place.
func (r *Recorder) Action(e history.Event) history.Folded {
	e.Origin = history.Driver
	if e.Action == nil {
		e.Action = &history.Action{}
	}
	a := *e.Action
	e.Action = &a
	if e.Stream == "" {
		e.Stream = "driver:" + a.Scenario
	}
	// Not JSON: it is left out, since what cannot be read cannot be stripped either.
	e.Object, _ = stripRaw(e.Object)
	e.Patch, _ = stripRaw(e.Patch)
	a.Response.Object, _ = stripRaw(a.Response.Object)
	return r.record(e, nil)
}

// Sample records a measurement: verb is process, canary, crash or exit.
func (r *Recorder) Sample(verb string, s history.Sample) history.Folded {
	return r.record(history.Event{Origin: history.Sampling, Stream: "sample:" + s.Process, Verb: verb, Sample: &s}, nil)
}

// record gives an event its number and time, writes it and hands it to the subscribers.
func (r *Recorder) record(e history.Event, whole map[string]any) history.Folded {
	r.lock.Lock()
	f, tell := r.recordLocked(e, whole)
	r.lock.Unlock()
	if tell != nil && r.opts.OnError != nil {
		r.opts.OnError(tell)
	}
	return f
}

func (r *Recorder) recordLocked(e history.Event, whole map[string]any) (history.Folded, error) {
	if r.closed {
		return history.Folded{Event: e}, nil
	}
	r.seq++
	e.Seq = r.seq
	e.Wall, e.Mono = r.Now()
	f, err := r.folder.Record(e, whole)
	if err != nil {
		// The object cannot be encoded or understood: the line says that something is missing here.
		f.Verb, f.Name, f.Object, f.Patch = history.VerbError, err.Error(), nil, nil
	}
	if r.err == nil {
		r.err = r.writer.Write(&f.Event)
	}
	r.publish(f)
	return f, r.tellOnce()
}

// tellOnce is the first error of writing, the first time.
func (r *Recorder) tellOnce() error {
	if r.err == nil || r.told {
		return nil
	}
	r.told = true
	return r.err
}

// flush empties the buffer regularly.
func (r *Recorder) flush(ctx context.Context) {
	tick := time.NewTicker(r.opts.FlushEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		r.lock.Lock()
		if r.err == nil {
			r.err = r.writer.Flush()
		}
		tell := r.tellOnce()
		r.lock.Unlock()
		if tell != nil && r.opts.OnError != nil {
			r.opts.OnError(tell)
		}
	}
}

// finish flushes and closes the file.
func (r *Recorder) finish() error {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.closed {
		return r.err
	}
	r.closed = true
	close(r.wake)
	r.wake = make(chan struct{})
	if r.err == nil {
		r.err = r.writer.Flush()
	}
	if c, ok := r.opts.Out.(io.Closer); ok {
		if err := c.Close(); err != nil && r.err == nil {
			r.err = fmt.Errorf("closing the history: %w", err)
		}
	}
	return r.err
}
