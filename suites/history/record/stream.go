package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"

	"muster/suites/history"
)

// stream records one resource.
type stream struct {
	rec        *Recorder
	gvr        schema.GroupVersionResource
	gvk        schema.GroupVersionKind
	namespaced bool
	src        Source
	name       string
	// keep says which namespaces, or names of objects without one, are recorded; nil: all.
	keep func(scope string) bool

	// Guarded by rec.lock, as are the maps' contents.
	// rv is the resource version up to which everything was recorded: of the last event, bookmark or list.
	rv string
	// known are the objects that exist; ended the resource versions at which others ended.
	known map[string]identity
	ended map[string]string
}

// identity of an object, and the version last recorded.
type identity struct{ namespace, name, rv string }

func newStream(r *Recorder, gvr schema.GroupVersionResource, kind string, namespaced bool, src Source) *stream {
	name := "watch:" + gvr.Resource
	if gvr.Group != "" {
		name += "." + gvr.Group
	}
	return &stream{rec: r, gvr: gvr, gvk: gvr.GroupVersion().WithKind(kind), namespaced: namespaced, src: src, name: name,
		known: map[string]identity{}, ended: map[string]string{}}
}

// errExpired: the watch cannot go on from where it was; only a new list can.
var errExpired = errors.New("the watch expired")

// run watches until the context ends.
func (s *stream) run(ctx context.Context) {
	for ctx.Err() == nil {
		err := s.watch(ctx)
		if ctx.Err() != nil {
			return
		}
		if errors.Is(err, errExpired) {
			s.event(history.Watch, history.VerbError, history.Event{Name: err.Error()}, nil)
			s.relist(ctx)
			continue
		}
		// A watch that ended, or could not be opened, goes on from the version it had reached and misses nothing.
		if err != nil {
			pause(ctx, s.rec.opts.RetryAfter)
		}
	}
}

// relist lists again until it works.
func (s *stream) relist(ctx context.Context) {
	for ctx.Err() == nil && s.list(ctx, history.Relist) != nil {
		pause(ctx, s.rec.opts.RetryAfter)
	}
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// list records every object of a consistent list that is news, the end of every object that is not in it, and the
// list itself.
func (s *stream) list(ctx context.Context, origin history.Origin) error {
	list, err := s.src.List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("listing %s: %w", s.gvr.Resource, err)
	}
	access, err := meta.ListAccessor(list)
	if err != nil {
		return fmt.Errorf("listing %s: %w", s.gvr.Resource, err)
	}
	rv := access.GetResourceVersion()
	vanished := maps.Clone(s.known)
	var all []history.ListedObject
	err = meta.EachListItem(list, func(obj runtime.Object) error {
		m, err := meta.Accessor(obj)
		if err != nil {
			return err
		}
		uid := string(m.GetUID())
		was, had := vanished[uid]
		delete(vanished, uid)
		all = append(all, history.ListedObject{UID: uid, RV: m.GetResourceVersion()})
		verb := history.VerbAdded
		switch {
		case had && was.rv == m.GetResourceVersion():
			return nil
		case had:
			verb = history.VerbModified
		}
		return s.object(origin, verb, obj)
	})
	if err != nil {
		return fmt.Errorf("listing %s: %w", s.gvr.Resource, err)
	}
	for _, uid := range slices.Sorted(maps.Keys(vanished)) {
		was := vanished[uid]
		s.event(origin, history.VerbDeleted, history.Event{Namespace: was.namespace, Name: was.name, UID: uid, RV: rv}, nil)
	}
	return s.consistent(origin, rv, all)
}

// consistent records a consistent list.
func (s *stream) consistent(origin history.Origin, rv string, all []history.ListedObject) error {
	raw, err := s.write(all)
	if err != nil {
		return err
	}
	s.event(origin, history.VerbSync, history.Event{RV: rv, Object: raw}, nil)
	return nil
}

// write sorts and encodes what a list shows.
func (s *stream) write(all []history.ListedObject) ([]byte, error) {
	slices.SortFunc(all, func(a, b history.ListedObject) int { return strings.Compare(a.UID, b.UID) })
	if all == nil {
		all = []history.ListedObject{}
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("writing the list of %s: %w", s.gvr.Resource, err)
	}
	return raw, nil
}

// watch records events until the watch ends. errExpired: it cannot be resumed. Another error: it should be tried
// again after a pause; nil: at once.
func (s *stream) watch(ctx context.Context) error {
	w, err := s.src.Watch(ctx, metav1.ListOptions{ResourceVersion: s.reached(), AllowWatchBookmarks: true})
	if apierrors.IsResourceExpired(err) || apierrors.IsGone(err) {
		return fmt.Errorf("%w: %v", errExpired, err)
	}
	if err != nil {
		return fmt.Errorf("watching %s: %w", s.gvr.Resource, err)
	}
	defer w.Stop()
	got := false
	for {
		select {
		case <-ctx.Done():
			return nil
		case e, ok := <-w.ResultChan():
			if !ok {
				if !got {
					return errors.New("the watch ended at once")
				}
				return nil
			}
			got = true
			if err := s.take(e); err != nil {
				return err
			}
		}
	}
}

var verbs = map[watch.EventType]string{
	watch.Added: history.VerbAdded, watch.Modified: history.VerbModified, watch.Deleted: history.VerbDeleted,
}

// take records one event of the watch.
func (s *stream) take(e watch.Event) error {
	switch e.Type {
	case watch.Bookmark:
		if m, err := meta.Accessor(e.Object); err == nil {
			s.bookmark(m.GetResourceVersion())
		}
		return nil
	case watch.Error:
		return fmt.Errorf("%w: %v", errExpired, apierrors.FromObject(e.Object))
	}
	verb, ok := verbs[e.Type]
	if !ok {
		return fmt.Errorf("%w: unknown event type %q", errExpired, e.Type)
	}
	if err := s.object(history.Watch, verb, e.Object); err != nil {
		return fmt.Errorf("%w: %v", errExpired, err)
	}
	return nil
}

// object records an object's form.
func (s *stream) object(origin history.Origin, verb string, obj runtime.Object) error {
	m, err := meta.Accessor(obj)
	if err != nil {
		return fmt.Errorf("reading an object of %s: %w", s.gvr.Resource, err)
	}
	e := history.Event{Namespace: m.GetNamespace(), Name: m.GetName(), UID: string(m.GetUID()), RV: m.GetResourceVersion()}
	whole, err := plain(obj, s.gvk)
	if err != nil {
		return fmt.Errorf("reading %s %s/%s: %w", s.gvr.Resource, e.Namespace, e.Name, err)
	}
	s.event(origin, verb, e, whole)
	return nil
}
