package ceiling

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"k8s.io/client-go/kubernetes"
)

// Binder binds whatever has room. Make one with New, run it once.
type Binder struct {
	o     Options
	ready atomic.Bool
	// binds and tells: conditions have a line and workers of their own. In one line with the binds, those of a backlog
	// that is placed at once would be written when the last pod is bound: after the time that is measured, in which
	// every scheduler that tells groups what became of them has to write them.
	binds, tells *queue

	mu    sync.Mutex
	world *world
}

// New checks the options. Nothing is started.
func New(o Options) (*Binder, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	b := &Binder{o: o, binds: newQueue(), tells: newQueue()}
	b.world = newWorld(o.Names, b.put)
	return b, nil
}

func (b *Binder) put(j *job) {
	if j.pod == nil {
		b.tells.put(j)
		return
	}
	b.binds.put(j)
}

// Ready reports whether the cluster has been read and pods are being bound.
func (b *Binder) Ready() bool { return b.ready.Load() }

// change the world under its lock, and look again at what waits for room.
func (b *Binder) change(f func(*world)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f(b.world)
	b.world.settle()
}

// Run binds until ctx is done. It first reads the whole cluster, so that no room is given away twice. Requests under way
// when ctx ends are cut off.
func (b *Binder) Run(ctx context.Context) error {
	var all sync.WaitGroup
	defer all.Wait()
	defer b.tells.end()
	defer b.binds.end()
	read := b.watch(ctx, &all)
	for i := range b.o.Concurrency {
		client := b.o.Clients[i%len(b.o.Clients)]
		for _, line := range []*queue{b.binds, b.tells} {
			all.Go(func() {
				for j := line.next(); j != nil; j = line.next() {
					b.do(ctx, client, j)
				}
			})
		}
	}
	select {
	case <-read:
	case <-ctx.Done():
		return nil
	}
	b.change(func(w *world) {
		w.start()
		w.tellAll()
	})
	b.ready.Store(true)
	defer b.ready.Store(false)
	b.o.Log.Info("binding", "names", b.o.Names, "concurrency", b.o.Concurrency, "connections", len(b.o.Clients))
	<-ctx.Done()
	return nil
}

// do one job and tell the world what became of it.
func (b *Binder) do(ctx context.Context, client kubernetes.Interface, j *job) {
	if j.pod == nil {
		if err := writeCondition(ctx, client, j); err != nil && ctx.Err() == nil {
			b.o.Log.Error(err, "a condition was not written", "group", j.group)
		}
		return
	}
	err := b.carryOut(ctx, client, j)
	switch {
	case err == nil:
		b.change(func(w *world) {
			if w.pods[j.pod.key] == j.pod {
				w.confirmed(j.pod)
			}
		})
	case errors.Is(err, errGone), ctx.Err() != nil: // the watch says the rest
	default:
		b.o.Log.Error(err, "binding failed; the pod waits for room again", "pod", j.pod.key, "node", j.node)
		b.change(func(w *world) { w.failed(j.pod) })
	}
}
