package control

import (
	"context"
	"errors"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	resourcelisters "k8s.io/client-go/listers/resource/v1"
	"k8s.io/utils/clock"

	"muster/scheduler/engine"
)

const (
	bindTries   = 4 // of one bind before the pod is given back
	bindPause   = 50 * time.Millisecond
	pauseLimit  = 5 * time.Second
	askedLimit  = 30 * time.Second // of a pause that the API server asks for; there are others to serve meanwhile
	callTimeout = 30 * time.Second // of one request, by the machine's clock
)

// job is one placement being carried out.
type job struct {
	engine.Placement
	round *round
	// prepared: the node stands in the annotations of its claims, and they are bound.
	prepared bool
	// probe: one try will do, since the others of the round wait for what becomes of it.
	probe bool
	// denied: the API server refused the bind until there was no try left, and the pod waits.
	denied bool
	// vain: it is not to be bound any more, for this reason; only what it holds is given back.
	vain error
	// errand is what the job is if it binds nothing.
	errand *errand
}

// fate is what became of a job.
type fate uint8

const (
	isBound  fate = iota // to the node it was to be bound to
	isElse               // gone, or bound to another node: a watch event says so sooner or later
	isFree               // it has no node, says the API server
	isParked             // its claims have been told the node, and are to be bound first
)

// binder carries jobs out, a bounded number at a time, in the order in which their rounds were decided. The binds of a gang
// with claims follow when these are written; in a line of arrivals they would stand behind the claims of everybody who was
// decided meanwhile, and of a backlog nobody would be bound before the last claim is written.
type binder struct {
	client kubernetes.Interface
	clock  clock.WithTicker
	claims resourcelisters.ResourceClaimLister // nil where there are none
	// tell is called by the binders' goroutines for each job.
	tell func(*job, fate, error)
	// answer changes what is made of a refusal; nil: nothing.
	answer func(engine.PodRef, string, error) error

	mu      sync.Mutex
	some    *sync.Cond
	jobs    line
	busy    int
	stopped bool
}

func newBinder(client kubernetes.Interface, c clock.WithTicker, tell func(*job, fate, error)) *binder {
	b := &binder{client: client, clock: c, tell: tell}
	b.some = sync.NewCond(&b.mu)
	return b
}

// add takes jobs. It does not block.
func (b *binder) add(jobs ...*job) {
	b.mu.Lock()
	for _, j := range jobs {
		b.jobs.add(j)
	}
	b.mu.Unlock()
	b.some.Broadcast()
}

// run binds with n goroutines until stop is called, or until ctx is done and what is under way has ended.
func (b *binder) run(ctx context.Context, n int) {
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			for j := b.next(); j != nil; j = b.next() {
				f, err := b.do(ctx, j)
				b.tell(j, f, err)
				b.mu.Lock()
				b.busy--
				b.mu.Unlock()
				b.some.Broadcast()
			}
		})
	}
	all.Wait()
}

func (b *binder) next() *job {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.jobs.places) == 0 && !b.stopped {
		b.some.Wait()
	}
	if len(b.jobs.places) == 0 || b.stopped {
		return nil
	}
	b.busy++
	return b.jobs.next()
}

// drain waits until there is nothing left to do, or ctx is done.
func (b *binder) drain(ctx context.Context) {
	defer wakeWhenDone(ctx, &b.mu, b.some)()
	b.mu.Lock()
	defer b.mu.Unlock()
	for (len(b.jobs.places) > 0 || b.busy > 0) && ctx.Err() == nil {
		b.some.Wait()
	}
}

// wakeWhenDone wakes who waits on a condition when ctx is done. Under the lock, so that nobody is just about to wait.
func wakeWhenDone(ctx context.Context, mu *sync.Mutex, c *sync.Cond) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		mu.Lock()
		defer mu.Unlock()
		c.Broadcast()
	})
}

// stop ends run once the binds under way have ended; jobs not begun are dropped.
func (b *binder) stop() {
	b.mu.Lock()
	b.stopped = true
	b.mu.Unlock()
	b.some.Broadcast()
}

func (b *binder) do(ctx context.Context, j *job) (fate, error) {
	if j.errand != nil {
		return isBound, b.goOn(ctx, j.errand)
	}
	if j.vain != nil {
		if len(j.Devices) == 0 {
			return isFree, j.vain
		}
		return isFree, errors.Join(j.vain, b.giveBack(ctx, j))
	}
	if len(j.Claims) > 0 && !j.prepared {
		if err := b.selectNode(ctx, j); err != nil {
			return isFree, err
		}
		return isParked, nil
	}
	f, err := b.bind(ctx, j)
	if f == isFree && len(j.Devices) > 0 {
		err = errors.Join(err, b.giveBack(ctx, j)) // before anybody plans with the devices again
	}
	return f, err
}

// bind binds, and again where the refusal may pass. Any refusal but that there is no such pod leaves in doubt whether
// the pod has a node now (an answer may be lost after the deed), so the pod is looked at.
func (b *binder) bind(ctx context.Context, j *job) (fate, error) {
	for try := 1; ; try++ {
		err := b.post(ctx, j)
		if err == nil {
			return isBound, nil
		}
		if apierrors.IsNotFound(err) {
			return isElse, err
		}
		pod, looked := b.look(ctx, j)
		switch {
		case looked != nil:
			return isElse, errors.Join(err, looked)
		case pod == nil || pod.UID != j.Pod.UID:
			return isElse, err
		case pod.Spec.NodeName == j.Node:
			return isBound, nil
		case pod.Spec.NodeName != "":
			return isElse, err
		case pod.DeletionTimestamp != nil:
			return isFree, err
		case j.probe || !mayPass(err) || try == bindTries:
			j.denied = true
			return isFree, err
		}
		if !b.pause(ctx, try, err) {
			return isFree, err
		}
	}
}

func (b *binder) post(ctx context.Context, j *job) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	err := b.client.CoreV1().Pods(j.Pod.Namespace).Bind(ctx, &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Namespace: j.Pod.Namespace, Name: j.Pod.Name, UID: j.Pod.UID},
		Target:     corev1.ObjectReference{Kind: "Node", Name: j.Node},
	}, metav1.CreateOptions{})
	if err != nil && b.answer != nil {
		err = b.answer(j.Pod, j.Node, err)
	}
	return err
}

// look gets the pod, however long the API server takes to answer; no pod and no error when there is none.
func (b *binder) look(ctx context.Context, j *job) (*corev1.Pod, error) {
	for try := 1; ; try++ {
		limited, cancel := context.WithTimeout(ctx, callTimeout)
		pod, err := b.client.CoreV1().Pods(j.Pod.Namespace).Get(limited, j.Pod.Name, metav1.GetOptions{})
		cancel()
		switch {
		case err == nil:
			return pod, nil
		case apierrors.IsNotFound(err):
			return nil, nil
		}
		if !b.pause(ctx, try, err) {
			return nil, err
		}
	}
}

// mayPass tells refusals that may pass by themselves from those that will not.
func mayPass(err error) bool {
	return !apierrors.IsForbidden(err) && !apierrors.IsInvalid(err) && !apierrors.IsBadRequest(err) &&
		!apierrors.IsMethodNotSupported(err) && !apierrors.IsUnauthorized(err)
}

// pause waits before another try, longer each time, or as long as the server asks; false when ctx is done.
func (b *binder) pause(ctx context.Context, try int, err error) bool {
	d := min(bindPause<<min(try-1, 10), pauseLimit)
	if s, ok := apierrors.SuggestsClientDelay(err); ok {
		d = max(d, min(time.Duration(s)*time.Second, askedLimit))
	}
	timer := b.clock.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C():
		return true
	case <-ctx.Done():
		return false
	}
}
