package control

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"

	"muster/scheduler/engine"
)

const (
	podWriters   = 4
	groupWriters = 8
)

// target is an object whose condition is written.
type target struct {
	kind engine.Kind
	engine.Key
	// about is empty for the condition that says whether the object was scheduled; else what is written besides it.
	about string
}

func (t target) String() string { return engine.Root{Kind: t.kind, Key: t.Key}.String() }

func podTarget(k engine.Key) target                     { return target{kind: engine.KindPod, Key: k} }
func nominationTarget(k engine.Key) target              { return target{engine.KindPod, k, "nomination"} }
func groupTarget(kind engine.Kind, k engine.Key) target { return target{kind: kind, Key: k} }

// wish is a condition to be written to an object of that UID; at no other resource version where one is given.
type wish struct {
	root engine.Root // on whose behalf
	uid  types.UID
	rv   string
	cond metav1.Condition
	// status is written instead of the condition where it is set.
	status map[string]any
}

// writer writes conditions. For each object only the last wish counts, and one request is under way at a time.
type writer struct {
	client kubernetes.Interface
	queue  workqueue.TypedRateLimitingInterface[target]
	// refused hears of wishes that are given up.
	refused func(target, *wish, error)

	mu     sync.Mutex
	empty  *sync.Cond
	wishes map[target]*wish
}

func newWriter(client kubernetes.Interface, c clock.WithTicker, refused func(target, *wish, error)) *writer {
	w := &writer{client: client, refused: refused, wishes: map[target]*wish{}}
	w.empty = sync.NewCond(&w.mu)
	w.queue = workqueue.NewTypedRateLimitingQueueWithConfig(
		workqueue.NewTypedItemExponentialFailureRateLimiter[target](100*time.Millisecond, 10*time.Second),
		workqueue.TypedRateLimitingQueueConfig[target]{Clock: c})
	return w
}

// set asks for a condition to be written; it replaces what was asked before.
func (w *writer) set(t target, x *wish) {
	w.mu.Lock()
	w.wishes[t] = x
	w.mu.Unlock()
	w.queue.Add(t)
}

// drop takes back what was asked and is not under way.
func (w *writer) drop(t target) { w.settle(t, nil) }

// settle forgets a wish; nil means whichever there is.
func (w *writer) settle(t target, x *wish) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if x == nil || w.wishes[t] == x {
		delete(w.wishes, t)
	}
	if len(w.wishes) == 0 {
		w.empty.Broadcast()
	}
}

// run writes with n goroutines until stop.
func (w *writer) run(n int) {
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			for {
				t, down := w.queue.Get()
				if down {
					return
				}
				w.handle(t)
				w.queue.Done(t)
			}
		})
	}
	all.Wait()
}

func (w *writer) stop() { w.queue.ShutDown() }

// drain waits until nothing is asked for any more, or ctx is done.
func (w *writer) drain(ctx context.Context) {
	defer wakeWhenDone(ctx, &w.mu, w.empty)()
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.wishes) > 0 && ctx.Err() == nil {
		w.empty.Wait()
	}
}

func (w *writer) handle(t target) {
	w.mu.Lock()
	x := w.wishes[t]
	w.mu.Unlock()
	if x == nil {
		w.queue.Forget(t)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	err := w.patch(ctx, t, x)
	switch {
	case err == nil:
	case apierrors.IsNotFound(err), conflicted(err), !mayPass(err):
		w.refused(t, x, err)
	default:
		w.queue.AddRateLimited(t)
		return
	}
	w.settle(t, x)
	w.queue.Forget(t)
}

func conflicted(err error) bool { return apierrors.IsConflict(err) }

// patch merges the condition into the object's by its type, so that conditions of others stay.
func (w *writer) patch(ctx context.Context, t target, x *wish) error {
	m := map[string]any{"uid": x.uid}
	if x.rv != "" {
		m["resourceVersion"] = x.rv
	}
	status := x.status
	if status == nil {
		status = map[string]any{"conditions": []metav1.Condition{x.cond}}
	}
	data, err := json.Marshal(map[string]any{"metadata": m, "status": status})
	if err != nil {
		return fmt.Errorf("encoding a condition: %w", err)
	}
	const kind, sub = types.StrategicMergePatchType, "status"
	o := metav1.PatchOptions{}
	switch t.kind {
	case engine.KindPod:
		_, err = w.client.CoreV1().Pods(t.Namespace).Patch(ctx, t.Name, kind, data, o, sub)
	case engine.KindPodGroup:
		_, err = w.client.SchedulingV1beta1().PodGroups(t.Namespace).Patch(ctx, t.Name, kind, data, o, sub)
	default:
		_, err = w.client.SchedulingV1alpha3().CompositePodGroups(t.Namespace).Patch(ctx, t.Name, kind, data, o, sub)
	}
	return err
}
