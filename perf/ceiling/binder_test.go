package ceiling

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	ktesting "k8s.io/client-go/testing"
)

// api is a fake API server that binds as the real one does. mostAtOnce is how many binds were under way at a time.
type server struct {
	*fake.Clientset
	mu               sync.Mutex
	busy, mostAtOnce int
	refuse           map[string]bool
}

func newServer(objects ...runtime.Object) *server {
	s := &server{Clientset: fake.NewClientset(objects...), refuse: map[string]bool{}}
	s.PrependReactor("create", "pods", func(a ktesting.Action) (bool, runtime.Object, error) {
		if a.GetSubresource() != "binding" {
			return false, nil, nil
		}
		s.mu.Lock()
		s.busy++
		s.mostAtOnce = max(s.mostAtOnce, s.busy)
		s.mu.Unlock()
		defer func() {
			s.mu.Lock()
			s.busy--
			s.mu.Unlock()
		}()
		b := a.(ktesting.CreateAction).GetObject().(*corev1.Binding)
		return true, nil, s.bind(b)
	})
	return s
}

func (s *server) bind(b *corev1.Binding) error {
	s.mu.Lock()
	refused := s.refuse[b.Name]
	delete(s.refuse, b.Name)
	s.mu.Unlock()
	if refused {
		return errors.New("etcd is having a moment")
	}
	pods := corev1.SchemeGroupVersion.WithResource("pods")
	o, err := s.Tracker().Get(pods, b.Namespace, b.Name)
	if err != nil {
		return err
	}
	p := o.(*corev1.Pod).DeepCopy()
	p.Spec.NodeName = b.Target.Name
	return s.Tracker().Update(pods, p, b.Namespace)
}

// running is a binder in front of a server; the test's end stops it.
func running(t *testing.T, s *server, o Options) *Binder {
	t.Helper()
	o.Clients = []kubernetes.Interface{s.Clientset}
	o.Serves = Serves{Groups: true, Composites: true, Devices: true}
	b, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- b.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return b
}

func TestBinderBindsAndTells(t *testing.T) {
	s := newServer(nodeObj("x", "50", "100", "A"), nodeObj("y", "50", "100", "B"))
	groups, err := s.SchedulingV1beta1().PodGroups("n").Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for g := range 5 {
		if err := s.Tracker().Add(groupObj(fmt.Sprint("g", g), 4, "rack")); err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			if err := s.Tracker().Add(podObj(fmt.Sprint("p", g, i), "1", fmt.Sprint("g", g))); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.refuse["p23"] = true
	b := running(t, s, Options{Concurrency: 3})
	told := map[string]bool{}
	for len(told) < 5 {
		g, ok := (<-groups.ResultChan()).Object.(*schedulingv1beta1.PodGroup)
		if ok && meta.IsStatusConditionTrue(g.Status.Conditions, schedulingv1beta1.PodGroupInitiallyScheduled) {
			told[g.Name] = true
		}
	}
	if !b.Ready() {
		t.Error("it binds and is not ready")
	}
	pods, err := s.CoreV1().Pods("n").List(t.Context(), metav1.ListOptions{})
	if err != nil || len(pods.Items) != 20 {
		t.Fatalf("%d pods, %v", len(pods.Items), err)
	}
	at := map[string]string{}
	for _, p := range pods.Items {
		g := *p.Spec.SchedulingGroup.PodGroupName
		if p.Spec.NodeName == "" || at[g] != "" && at[g] != p.Spec.NodeName {
			t.Errorf("%s of %s is on %q, others on %q", p.Name, g, p.Spec.NodeName, at[g])
		}
		at[g] = p.Spec.NodeName
	}
	if s.mostAtOnce > 3 {
		t.Errorf("%d binds were under way at a time, want at most 3", s.mostAtOnce)
	}
}

func TestBinderWritesClaimsBeforeItBinds(t *testing.T) {
	s := newServer(nodeObj("x", "9", "100", ""), sliceObj("x", 2), claimObj("ca", 2), claiming("a", "", "ca"))
	w, err := s.CoreV1().Pods("n").Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	running(t, s, Options{})
	for e := range w.ResultChan() {
		if p, ok := e.Object.(*corev1.Pod); ok && p.Spec.NodeName == "x" {
			break
		}
	}
	c, err := s.ResourceV1().ResourceClaims("n").Get(t.Context(), "ca", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Finalizers) != 1 || c.Status.Allocation == nil || len(c.Status.Allocation.Devices.Results) != 2 ||
		len(c.Status.ReservedFor) != 1 || c.Status.ReservedFor[0].UID != "uid-a" {
		t.Errorf("%+v %+v", c.Finalizers, c.Status)
	}
}

func TestOptions(t *testing.T) {
	client := []kubernetes.Interface{fake.NewClientset()}
	for name, o := range map[string]Options{
		"no client":           {},
		"a client that isn't": {Clients: []kubernetes.Interface{nil}},
		"negative":            {Clients: client, Concurrency: -1},
		"no name":             {Clients: client, Names: []string{""}},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if b, err := New(Options{Clients: client}); err != nil || b.o.Concurrency != DefaultConcurrency || b.o.Names[0] != DefaultName {
		t.Errorf("%+v, %v", b, err)
	}
}
