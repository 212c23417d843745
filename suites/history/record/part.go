package record

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// share is the part of a channel that concerns one recorder, as a source. Its objects are shared and read-only.
type share struct {
	channel *channel
	keep    func(scope string) bool
}

// List shows what exists as far as the hub has been told; nothing is asked.
func (v share) List(context.Context, metav1.ListOptions) (runtime.Object, error) {
	return v.channel.shown(v.keep), nil
}

// Watch gives the events after a version that the channel has given before.
func (v share) Watch(_ context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	from, err := strconv.ParseInt(opts.ResourceVersion, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("watching from resource version %q: it is not a number", opts.ResourceVersion)
	}
	c := v.channel
	w := &watcher{channel: c, keep: v.keep, out: make(chan watch.Event), wake: make(chan struct{}, 1), end: make(chan struct{})}
	c.mu.Lock()
	defer c.mu.Unlock()
	if from < c.floor {
		return nil, apierrors.NewResourceExpired(fmt.Sprintf("events after resource version %d are not remembered before %d", from, c.floor))
	}
	next, _ := slices.BinarySearchFunc(c.log, from+1, func(t told, rv int64) int { return int(t.rv - rv) })
	for _, t := range c.log[next:] {
		w.consider(t)
	}
	c.watchers[w] = true
	go w.run()
	return w, nil
}

// watcher is a watch on a share. It never keeps the channel waiting.
type watcher struct {
	channel *channel
	keep    func(scope string) bool
	out     chan watch.Event
	wake    chan struct{} // holds a token when there may be something in the queue
	end     chan struct{}
	once    sync.Once

	mu    sync.Mutex
	queue []watch.Event
}

// consider queues an event that concerns the recorder.
func (w *watcher) consider(t told) {
	if t.scope == "" || w.keep(t.scope) {
		w.put(t.event)
	}
}

func (w *watcher) put(e watch.Event) {
	w.mu.Lock()
	w.queue = append(w.queue, e)
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// run hands out what is queued until the watch is stopped.
func (w *watcher) run() {
	defer close(w.out)
	for {
		w.mu.Lock()
		batch := w.queue
		w.queue = nil
		w.mu.Unlock()
		for _, e := range batch {
			select {
			case w.out <- e:
			case <-w.end:
				return
			}
		}
		select {
		case <-w.wake:
		case <-w.end:
			return
		}
	}
}

// Stop ends the watch.
func (w *watcher) Stop() {
	w.once.Do(func() {
		w.channel.mu.Lock()
		delete(w.channel.watchers, w)
		w.channel.mu.Unlock()
		close(w.end)
	})
}

// ResultChan is closed when the watch has ended.
func (w *watcher) ResultChan() <-chan watch.Event { return w.out }

// listed is a list of objects of one kind.
type listed struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []runtime.Object
}

// DeepCopyObject makes it a runtime.Object.
func (l *listed) DeepCopyObject() runtime.Object {
	out := &listed{TypeMeta: l.TypeMeta, ListMeta: l.ListMeta, Items: make([]runtime.Object, len(l.Items))}
	for i, o := range l.Items {
		out.Items[i] = o.DeepCopyObject()
	}
	return out
}
