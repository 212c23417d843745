package record

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// remembered is how many events of a resource a channel keeps for who begins to watch: seconds of what a busy cluster
// does, where a recorder needs the moment between its list and its watch.
const remembered = 8192

// channel is one resource of a hub.
type channel struct {
	src        Source
	gvr        schema.GroupVersionResource
	kind       string
	namespaced bool

	mu sync.Mutex
	// objects that exist, and the version up to which that is so.
	objects map[types.UID]runtime.Object
	rv      int64
	// log are the last events, in order; whoever watches from before floor has missed some.
	log      []told
	floor    int64
	watchers map[*watcher]bool
}

// told is an event of a channel: a change of an object, or a bookmark.
type told struct {
	rv    int64
	event watch.Event
	// scope says to whom the object belongs; empty for a bookmark, which is for all.
	scope string
}

func newChannel(s *stream) *channel {
	return &channel{src: s.src, gvr: s.gvr, kind: s.gvk.Kind, namespaced: s.namespaced,
		objects: map[types.UID]runtime.Object{}, watchers: map[*watcher]bool{}}
}

// list takes over what a consistent list shows.
func (c *channel) list(ctx context.Context) error {
	l, err := c.src.List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("listing %s: %w", c.gvr.Resource, err)
	}
	access, err := meta.ListAccessor(l)
	if err != nil {
		return fmt.Errorf("listing %s: %w", c.gvr.Resource, err)
	}
	rv, err := strconv.ParseInt(access.GetResourceVersion(), 10, 64)
	if err != nil {
		return fmt.Errorf("listing %s: its resource version %q is not a number", c.gvr.Resource, access.GetResourceVersion())
	}
	objects := map[types.UID]runtime.Object{}
	err = meta.EachListItem(l, func(o runtime.Object) error {
		m, err := meta.Accessor(o)
		if err == nil {
			m.SetManagedFields(nil)
			objects[m.GetUID()] = o
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("listing %s: %w", c.gvr.Resource, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.objects, c.rv, c.floor, c.log = objects, rv, rv, nil
	return nil
}

// relist lists again after the watch broke, and breaks everybody's.
func (c *channel) relist(ctx context.Context, why error) error {
	if err := c.list(ctx); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	status := apierrors.NewResourceExpired(why.Error()).ErrStatus
	for w := range c.watchers {
		w.put(watch.Event{Type: watch.Error, Object: &status})
	}
	return nil
}

// watch takes over events until the watch ends. errExpired: it cannot be resumed.
func (c *channel) watch(ctx context.Context) error {
	c.mu.Lock()
	from := strconv.FormatInt(c.rv, 10)
	c.mu.Unlock()
	w, err := c.src.Watch(ctx, metav1.ListOptions{ResourceVersion: from, AllowWatchBookmarks: true})
	if apierrors.IsResourceExpired(err) || apierrors.IsGone(err) {
		return fmt.Errorf("%w: %v", errExpired, err)
	}
	if err != nil {
		return fmt.Errorf("watching %s: %w", c.gvr.Resource, err)
	}
	defer w.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case e, ok := <-w.ResultChan():
			if !ok {
				return fmt.Errorf("watching %s: the watch ended", c.gvr.Resource)
			}
			if err := c.take(e); err != nil {
				return err
			}
		}
	}
}

// take takes over one event and hands it to whom it concerns.
func (c *channel) take(e watch.Event) error {
	if e.Type == watch.Error {
		return fmt.Errorf("%w: %v", errExpired, apierrors.FromObject(e.Object))
	}
	m, err := meta.Accessor(e.Object)
	if err != nil {
		return fmt.Errorf("%w: an event of %s without an object: %v", errExpired, c.gvr.Resource, err)
	}
	rv, err := strconv.ParseInt(m.GetResourceVersion(), 10, 64)
	if err != nil {
		return fmt.Errorf("%w: resource version %q of an event of %s is not a number", errExpired, m.GetResourceVersion(), c.gvr.Resource)
	}
	t := told{rv: rv, event: e}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.Type != watch.Bookmark {
		m.SetManagedFields(nil)
		t.scope = scopeOf(c.namespaced, m.GetNamespace(), m.GetName())
		if e.Type == watch.Deleted {
			delete(c.objects, m.GetUID())
		} else {
			c.objects[m.GetUID()] = e.Object
		}
	}
	c.rv = max(c.rv, rv)
	c.log = append(c.log, t)
	if len(c.log) >= 2*remembered {
		c.floor = c.log[len(c.log)-remembered-1].rv
		c.log = slices.Clone(c.log[len(c.log)-remembered:])
	}
	for w := range c.watchers {
		w.consider(t)
	}
	return nil
}

// shown are the objects that concern somebody, as a list.
func (c *channel) shown(keep func(string) bool) *listed {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := &listed{ListMeta: metav1.ListMeta{ResourceVersion: strconv.FormatInt(c.rv, 10)}}
	for _, uid := range slices.Sorted(maps.Keys(c.objects)) {
		m, err := meta.Accessor(c.objects[uid])
		if err == nil && keep(scopeOf(c.namespaced, m.GetNamespace(), m.GetName())) {
			out.Items = append(out.Items, c.objects[uid])
		}
	}
	return out
}
