package undertest

import (
	"context"
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/rest"

	"muster/fakes/nodes"
)

// bindAll binds every pod of the canary's namespace until ctx is done.
func bindAll(ctx context.Context, t *testing.T, client *fake.Clientset) {
	t.Helper()
	w, err := client.CoreV1().Pods(CanaryName).Watch(ctx, metav1.ListOptions{})
	if err != nil {
		t.Error(err)
		return
	}
	go func() {
		defer w.Stop()
		for {
			select {
			case e := <-w.ResultChan():
				pod, ok := e.Object.(*corev1.Pod)
				if !ok || pod.Spec.NodeName != "" || e.Type != "ADDED" {
					continue
				}
				pod = pod.DeepCopy()
				pod.Spec.NodeName = nodes.Name(CanaryName, 0)
				_, _ = client.CoreV1().Pods(CanaryName).Update(ctx, pod, metav1.UpdateOptions{})
			case <-ctx.Done():
				return
			}
		}
	}()
}

func TestCanaryBinds(t *testing.T) {
	client := fake.NewClientset()
	c := &Canary{client: client, schedulerName: "mine", ownNode: true}
	for range 2 { // the second time everything is there
		if err := c.Prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	bindAll(t.Context(), t, client)
	for range 3 {
		if took, err := c.Bind(t.Context()); err != nil || took < 0 {
			t.Fatalf("%s, %v", took, err)
		}
	}
	left, err := client.CoreV1().Pods(CanaryName).List(t.Context(), metav1.ListOptions{})
	if err != nil || len(left.Items) != 0 {
		t.Errorf("%d canary pods are left behind, %v", len(left.Items), err)
	}
	if err := c.Remove(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestCanaryNobodyBinds(t *testing.T) {
	c := &Canary{client: fake.NewClientset(), schedulerName: "mine"}
	gaveUp := errors.New("gave up")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gaveUp)
	if _, err := c.Bind(ctx); !errors.Is(err, gaveUp) {
		t.Errorf("error %v, want the reason the wait was given up for", err)
	}
}

func TestCanaryPodIsAloneOnItsNode(t *testing.T) {
	c, err := NewCanary(&rest.Config{Host: "https://127.0.0.1:1"}, "mine", true)
	if err != nil {
		t.Fatal(err)
	}
	pod, other := c.pod(), c.pod()
	node := nodes.Object(nodes.Pool{Name: CanaryName}, 0)
	if pod.Name == other.Name {
		t.Error("two canary pods have one name")
	}
	for k, v := range pod.Spec.NodeSelector {
		if node.Labels[k] != v {
			t.Errorf("the canary node has not the label %s=%s", k, v)
		}
	}
	taint, toleration := node.Spec.Taints[0], pod.Spec.Tolerations[0]
	if len(node.Spec.Taints) != 1 || taint.Key != toleration.Key || taint.Value != toleration.Value || taint.Effect != toleration.Effect {
		t.Errorf("taints %v, tolerations %v", node.Spec.Taints, pod.Spec.Tolerations)
	}
	c.ownNode = false
	if free := c.pod(); len(free.Spec.NodeSelector)+len(free.Spec.Tolerations) != 0 || free.Spec.SchedulerName != "mine" {
		t.Errorf("without a node of its own: %+v", free.Spec)
	}
}
