package undertest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"muster/fakes/nodes"
)

// CanaryName is the namespace of canary pods and the pool of the canary node.
const CanaryName = "muster-canary"

// Canary binds pods that nothing can keep from being bound, to see that the scheduler is alive and how quick.
type Canary struct {
	client        kubernetes.Interface
	schedulerName string
	ownNode       bool
}

// NewCanary makes a canary for a scheduler name. With ownNode it makes a node for its pods, on which nothing else can
// run; without, they go wherever there is room (a cluster whose nodes are not ours to make).
func NewCanary(cfg *rest.Config, schedulerName string, ownNode bool) (*Canary, error) {
	client, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return nil, fmt.Errorf("making the canary's client: %w", err)
	}
	return &Canary{client: client, schedulerName: schedulerName, ownNode: ownNode}, nil
}

// Prepare makes the canary's namespace and node. What exists already is left as it is.
func (c *Canary) Prepare(ctx context.Context) error {
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: CanaryName}}
	if _, err := c.client.CoreV1().Namespaces().Create(ctx, ns, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("creating the canary's namespace: %w", err)
	}
	if !c.ownNode {
		return nil
	}
	node := nodes.Object(nodes.Pool{Name: CanaryName, CPU: "1", Memory: "1Gi"}, 0)
	if _, err := c.client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("creating the canary's node: %w", err)
	}
	return nil
}

// Bind creates a canary pod, waits by watching until it is bound, and deletes it. It returns the time from the request
// that created the pod to the news of its bind. It waits as long as ctx lets it.
func (c *Canary) Bind(ctx context.Context) (time.Duration, error) {
	pods := c.client.CoreV1().Pods(CanaryName)
	pod := c.pod()
	w, err := pods.Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + pod.Name})
	if err != nil {
		return 0, fmt.Errorf("watching the canary pod: %w", err)
	}
	defer w.Stop()
	sent := time.Now()
	if _, err := pods.Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return 0, fmt.Errorf("creating a canary pod: %w", err)
	}
	defer func() { // whatever has become of ctx
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = pods.Delete(ctx, pod.Name, metav1.DeleteOptions{})
	}()
	for {
		select {
		case event, ok := <-w.ResultChan():
			if !ok {
				return 0, errors.New("watching the canary pod: the API server closed the watch")
			}
			if p, isPod := event.Object.(*corev1.Pod); isPod && p.Spec.NodeName != "" {
				return time.Since(sent), nil
			}
		case <-ctx.Done():
			return 0, fmt.Errorf("waiting for the canary pod to be bound: %w", context.Cause(ctx))
		}
	}
}

// Remove deletes what Prepare has made, for clusters that live on. It does not wait for the namespace to be gone.
func (c *Canary) Remove(ctx context.Context) error {
	err := c.client.CoreV1().Namespaces().Delete(ctx, CanaryName, metav1.DeleteOptions{})
	if c.ownNode {
		err = errors.Join(err, c.client.CoreV1().Nodes().Delete(ctx, nodes.Name(CanaryName, 0), metav1.DeleteOptions{}))
	}
	return err
}

// pod is a pod of its own name each time: the history tells canaries apart by it.
func (c *Canary) pod() *corev1.Pod {
	no, none := false, int64(0)
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "canary-" + strings.ToLower(rand.Text()[:10])},
		Spec: corev1.PodSpec{
			SchedulerName:                 c.schedulerName,
			TerminationGracePeriodSeconds: &none,
			AutomountServiceAccountToken:  &no,
			EnableServiceLinks:            &no,
			Containers: []corev1.Container{{
				Name: "canary", Image: "canary",
				Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1m")}},
			}},
		},
	}
	if c.ownNode {
		p.Spec.NodeSelector = map[string]string{nodes.PoolLabel: CanaryName}
		p.Spec.Tolerations = []corev1.Toleration{{
			Key: nodes.PoolTaint, Operator: corev1.TolerationOpEqual, Value: CanaryName, Effect: corev1.TaintEffectNoSchedule,
		}}
	}
	return p
}
