package embedded

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"muster/fakes/cluster"
	"muster/fakes/nodes"
	"muster/fakes/undertest"
	"muster/workloads/build"
)

// canaries binds canary pods during a run. Unlike the one that tells readiness they ask for nothing and are not deleted:
// a deleted pod wakes every gang that waits anywhere in the cluster, and a measurement must not do that.
type canaries struct {
	client        kubernetes.Interface
	schedulerName string
	once          sync.Once
	prepared      error
	n             int
}

// canaryPool is the node they go to, with room for all of them.
const canaryPool = "muster-canaries"

func newCanaries(c cluster.Cluster, schedulerName string) (*canaries, error) {
	client, err := kubernetes.NewForConfig(c.RESTConfig())
	if err != nil {
		return nil, fmt.Errorf("making the canary's client: %w", err)
	}
	return &canaries{client: client, schedulerName: schedulerName}, nil
}

func (c *canaries) prepare(ctx context.Context) error {
	c.once.Do(func() {
		node := nodes.Object(nodes.Pool{Name: canaryPool, Pods: 100_000}, 0)
		if _, err := c.client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
			c.prepared = fmt.Errorf("creating the canaries' node: %w", err)
		}
	})
	return c.prepared
}

// bind creates a canary pod and returns how long its bind took. It is not called by two at a time.
func (c *canaries) bind(ctx context.Context) (time.Duration, error) {
	if err := c.prepare(ctx); err != nil {
		return 0, err
	}
	c.n++
	name := fmt.Sprintf("measure-%s-%d", c.schedulerName, c.n) // others may measure in the same cluster
	pods := c.client.CoreV1().Pods(undertest.CanaryName)
	w, err := pods.Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + name})
	if err != nil {
		return 0, fmt.Errorf("watching canary %s: %w", name, err)
	}
	defer w.Stop()
	pod := build.PodObject(build.Pod{Name: name, Pool: canaryPool}, build.Defaults{
		Namespace: undertest.CanaryName, SchedulerName: c.schedulerName, Pool: canaryPool,
	})
	sent := time.Now()
	if _, err := pods.Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return 0, fmt.Errorf("creating canary %s: %w", name, err)
	}
	for {
		select {
		case event, ok := <-w.ResultChan():
			if !ok {
				return 0, errors.New("watching canary " + name + ": the API server closed the watch")
			}
			if p, isPod := event.Object.(*corev1.Pod); isPod && p.Spec.NodeName != "" {
				return time.Since(sent), nil
			}
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}
