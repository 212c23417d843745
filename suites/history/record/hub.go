package record

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
)

// Hub watches a cluster once for many recorders, each of which records a part of it (Options.Hub, Options.Keep): what n of
// them are told of n times otherwise is sent, decoded and sorted out once. A recorder notices no difference. It lists, watches
// from the version of the list, is told when the watch broke and lists again; and when it ends it compares what it was told
// with what the API server lists, not with what the hub believes.
//
// Only Kubernetes' own types can be shared: what recorders do to others, in place, would be done to all.
type Hub struct {
	channels map[schema.GroupVersionResource]*channel
	stop     context.CancelFunc
	running  sync.WaitGroup
}

// NewHub begins to watch: it returns when every resource was listed once. The context is for starting only; Close ends it.
func NewHub(ctx context.Context, cfg *rest.Config, resources []schema.GroupVersionResource) (*Hub, error) {
	r := &Recorder{opts: Options{Config: cfg, Resources: resources}}
	if err := r.connect(ctx); err != nil {
		return nil, fmt.Errorf("starting the hub of recorders: %w", err)
	}
	h := &Hub{channels: map[schema.GroupVersionResource]*channel{}}
	for _, s := range r.streams {
		if _, ok := s.src.(typedSource); !ok {
			return nil, fmt.Errorf("starting the hub of recorders: %s are not of a type of Kubernetes' own; record them without a hub", s.gvr.Resource)
		}
		c := newChannel(s)
		if err := c.list(ctx); err != nil {
			return nil, fmt.Errorf("starting the hub of recorders: %w", err)
		}
		h.channels[s.gvr] = c
	}
	watching, stop := context.WithCancel(context.Background())
	h.stop = stop
	for _, c := range h.channels {
		h.running.Go(func() { c.run(watching) })
	}
	return h, nil
}

// Close ends the watches. Recorders have to be closed before, or they wait for news in vain.
func (h *Hub) Close() {
	h.stop()
	h.running.Wait()
}

// streams are those of a recorder that draws from the hub.
func (h *Hub) streams(r *Recorder, keep func(scope string) bool) {
	for _, gvr := range wanted(r.opts.Resources) {
		c := h.channels[gvr]
		if c == nil {
			r.skipped = append(r.skipped, gvr)
			continue
		}
		s := newStream(r, gvr, c.kind, c.namespaced, share{c, keep})
		s.keep = keep
		r.streams = append(r.streams, s)
	}
}

// run watches until the context ends. What the hub misses its recorders are told to have missed.
func (c *channel) run(ctx context.Context) {
	for ctx.Err() == nil {
		err := c.watch(ctx)
		for errors.Is(err, errExpired) && ctx.Err() == nil {
			if err = c.relist(ctx, err); err != nil {
				pause(ctx, retryAfter)
				err = errors.Join(errExpired, err)
			}
		}
		if err != nil {
			pause(ctx, retryAfter)
		}
	}
}

// retryAfter is the pause before a broken watch or a failed list is tried again.
const retryAfter = 100 * time.Millisecond

// kept leaves out what is none of a recorder's business.
func (s *stream) kept(namespace, name string) bool {
	return s.keep == nil || s.keep(scopeOf(s.namespaced, namespace, name))
}

// scopeOf is what says to whom an object belongs: its namespace, or where it has none its name.
func scopeOf(namespaced bool, namespace, name string) string {
	if namespaced {
		return namespace
	}
	return name
}
