package register

import (
	"context"
	"fmt"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"muster/fakes/gpus"
	"muster/fakes/nodes"
)

// DefaultWorkers is the number of requests under way where the caller names none: on two cores more only queue up in
// the API server.
const DefaultWorkers = 64

// Pools creates every node of the pools and publishes the slices of its devices right after it, workers at a time (DefaultWorkers where 0). cfg is not changed. progress may be
// nil; it is told how many nodes exist of how many, never from two goroutines at once.
//
// Nothing is created where a pool is invalid. The first request that goes wrong stops the others, and the error says
// which node it was and how many there are; the nodes created so far stay. Devices that several nodes share, and classes, are
// the business of Devices.
func Pools(ctx context.Context, cfg *rest.Config, workers int, progress func(done, total int), pools ...nodes.Pool) error {
	if err := nodes.ValidateAll(pools...); err != nil {
		return fmt.Errorf("creating nodes: %w", err)
	}
	total := 0
	for _, p := range pools {
		total += p.Count
	}
	client, err := kubernetes.NewForConfig(unlimited(cfg))
	if err != nil {
		return fmt.Errorf("creating nodes: %w", err)
	}
	if workers <= 0 {
		workers = DefaultWorkers
	}
	run := &run{client: client, total: total, progress: progress}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	jobs := make(chan job)
	var wg sync.WaitGroup
	for range min(workers, total) {
		wg.Go(func() {
			for j := range jobs {
				if err := run.create(ctx, j); err != nil {
					cancel(err)
				}
			}
		})
	}
	feed(ctx, jobs, pools)
	wg.Wait()
	if run.done == total {
		return nil
	}
	return fmt.Errorf("creating nodes: %d of %d exist: %w", run.done, total, context.Cause(ctx))
}

// feed hands out the nodes in order until the context ends.
func feed(ctx context.Context, jobs chan<- job, pools []nodes.Pool) {
	defer close(jobs)
	for _, p := range pools {
		for i := range p.Count {
			select {
			case jobs <- job{p, i}:
			case <-ctx.Done():
				return
			}
		}
	}
}

// unlimited is for a client that speaks protobuf and never waits for its own rate limiter.
func unlimited(cfg *rest.Config) *rest.Config {
	c := rest.CopyConfig(cfg)
	c.ContentType, c.AcceptContentTypes = runtime.ContentTypeProtobuf, runtime.ContentTypeProtobuf
	c.QPS, c.RateLimiter = -1, nil
	c.WarningHandler = rest.NoWarnings{}
	return c
}

// job is a node to create.
type job struct {
	pool  nodes.Pool
	index int
}

// run is one call of Pools.
type run struct {
	client   kubernetes.Interface
	total    int
	progress func(done, total int)

	mu   sync.Mutex
	done int
}

func (r *run) create(ctx context.Context, j job) error {
	node := nodes.Object(j.pool, j.index)
	now := metav1.NewTime(time.Now())
	for i := range node.Status.Conditions {
		c := &node.Status.Conditions[i]
		c.LastHeartbeatTime, c.LastTransitionTime = now, now
	}
	created, err := r.client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
	if err != nil {
		return because(ctx, fmt.Errorf("creating node %s: %w", node.Name, err))
	}
	own, err := gpus.NodeSlices(j.pool, j.index, created)
	if err != nil {
		return err
	}
	if err := publish(ctx, r.client, own); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done++
	if r.progress != nil {
		r.progress(r.done, r.total)
	}
	return nil
}
