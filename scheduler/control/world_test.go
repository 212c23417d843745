package control

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	kubetesting "k8s.io/client-go/testing"
)

const ns = "team"

var (
	podsResource = corev1.SchemeGroupVersion.WithResource("pods")
	gone         = metav1.DeleteOptions{}
)

// world is a scheduler before a make-believe API server, in a bubble in which time passes when nobody has anything to do.
type world struct {
	t      *testing.T
	client *fake.Clientset
	s      *Scheduler
	opts   Options
	stop   func()

	mu    sync.Mutex
	binds []string // "pod node" of each request to bind
	// answer decides about a request to bind, the n-th (from 1) for the pod; nil for yes. done: bind all the same.
	answer func(pod, node string, n int) (err error, done bool)
	asked  map[string]int
	writes int // conditions written
}

// inBubble runs f with a world whose scheduler has not been started.
func inBubble(t *testing.T, f func(w *world)) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, client: fake.NewClientset(), asked: map[string]int{}}
		w.client.PrependReactor("create", "pods", w.bind)
		w.client.PrependReactor("patch", "*", func(kubetesting.Action) (bool, runtime.Object, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.writes++
			return false, nil, nil
		})
		defer func() { w.end() }()
		f(w)
	})
}

// start starts a scheduler; another one is stopped first.
func (w *world) start() {
	w.t.Helper()
	w.end()
	o := w.opts
	o.Client = w.client
	s, err := New(o)
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(w.t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	w.s = s
	w.stop = func() {
		cancel()
		if err := <-done; err != nil {
			w.t.Errorf("running: %v", err)
		}
	}
	w.wait(time.Second)
	if !s.Ready() {
		w.t.Fatal("not ready after a second")
	}
}

func (w *world) end() {
	if w.stop != nil {
		w.stop()
		w.stop = nil
	}
}

// wait lets time pass.
func (w *world) wait(d time.Duration) {
	timer := time.NewTimer(d)
	<-timer.C
	synctest.Wait()
}

func (w *world) bind(a kubetesting.Action) (bool, runtime.Object, error) {
	if a.GetSubresource() != "binding" {
		return false, nil, nil
	}
	b := a.(kubetesting.CreateAction).GetObject().(*corev1.Binding)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.binds = append(w.binds, b.Name+" "+b.Target.Name)
	w.asked[b.Name]++
	if w.answer != nil {
		if err, done := w.answer(b.Name, b.Target.Name, w.asked[b.Name]); err != nil {
			if done {
				_ = w.place(b)
			}
			return true, nil, err
		}
	}
	return true, b, w.place(b)
}

// place does what the API server does.
func (w *world) place(b *corev1.Binding) error {
	obj, err := w.client.Tracker().Get(podsResource, b.Namespace, b.Name)
	if err != nil {
		return err
	}
	p := obj.(*corev1.Pod).DeepCopy()
	if p.UID != b.UID || p.Spec.NodeName != "" {
		return apierrors.NewConflict(podsResource.GroupResource(), b.Name, fmt.Errorf("assigned already"))
	}
	p.Spec.NodeName = b.Target.Name
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue}}
	return w.client.Tracker().Update(podsResource, p, b.Namespace)
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) node(name string, cpu int64) {
	w.t.Helper()
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name}}}
	n.Status.Allocatable = corev1.ResourceList{
		corev1.ResourcePods: *resource.NewQuantity(110, resource.DecimalSI),
		corev1.ResourceCPU:  *resource.NewQuantity(cpu, resource.DecimalSI),
	}
	_, err := w.client.CoreV1().Nodes().Create(w.t.Context(), n, metav1.CreateOptions{})
	w.must(err)
}

// pod asks for cores; group may be empty.
func (w *world) pod(name, group string, cpu int64, edit ...func(*corev1.Pod)) {
	w.t.Helper()
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name, UID: types.UID("uid-" + name), CreationTimestamp: metav1.Now()},
		Spec: corev1.PodSpec{SchedulerName: DefaultName, Containers: []corev1.Container{{Name: "c", Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: *resource.NewQuantity(cpu, resource.DecimalSI)}}}}},
	}
	if group != "" {
		p.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &group}
	}
	for _, f := range edit {
		f(p)
	}
	_, err := w.client.CoreV1().Pods(ns).Create(w.t.Context(), p, metav1.CreateOptions{})
	w.must(err)
}

func on(node string) func(*corev1.Pod)   { return func(p *corev1.Pod) { p.Spec.NodeName = node } }
func priority(n int32) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Spec.Priority = &n } }
func askFor(name string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Spec.SchedulerName = name }
}

func (w *world) gang(name string, quorum int32, edit ...func(*schedulingv1beta1.PodGroup)) {
	w.t.Helper()
	g := &schedulingv1beta1.PodGroup{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name, UID: types.UID("uid-" + name), Generation: 1}}
	g.Spec.SchedulingPolicy.Gang = &schedulingv1beta1.GangSchedulingPolicy{MinCount: quorum}
	for _, f := range edit {
		f(g)
	}
	_, err := w.client.SchedulingV1beta1().PodGroups(ns).Create(w.t.Context(), g, metav1.CreateOptions{})
	w.must(err)
}

func (w *world) members(group string, n int, cpu int64, edit ...func(*corev1.Pod)) {
	for i := range n {
		w.pod(fmt.Sprintf("%s-%d", group, i), group, cpu, edit...)
	}
}

// bound are the names of the pods that have a node, sorted.
func (w *world) bound() []string {
	w.t.Helper()
	list, err := w.client.CoreV1().Pods(ns).List(w.t.Context(), metav1.ListOptions{})
	w.must(err)
	out := []string{}
	for _, p := range list.Items {
		if p.Spec.NodeName != "" {
			out = append(out, p.Name)
		}
	}
	slices.Sort(out)
	return out
}

func (w *world) expectBound(names ...string) {
	w.t.Helper()
	if got := w.bound(); !slices.Equal(got, append([]string{}, names...)) {
		w.t.Fatalf("bound are %q, want %q (binds asked for: %q)", got, names, w.binds)
	}
}

// group's condition; the zero one for none.
func (w *world) condition(group string) metav1.Condition {
	w.t.Helper()
	g, err := w.client.SchedulingV1beta1().PodGroups(ns).Get(w.t.Context(), group, metav1.GetOptions{})
	w.must(err)
	if c := meta.FindStatusCondition(g.Status.Conditions, schedulingv1beta1.PodGroupInitiallyScheduled); c != nil {
		return *c
	}
	return metav1.Condition{}
}

func (w *world) expectCondition(group string, status metav1.ConditionStatus, reason string) metav1.Condition {
	w.t.Helper()
	c := w.condition(group)
	if c.Status != status || c.Reason != reason {
		w.t.Fatalf("the condition of %s is %q (%q: %s), want %q (%q)", group, c.Status, c.Reason, c.Message, status, reason)
	}
	return c
}

func (w *world) podCondition(name string) *metav1.Condition {
	w.t.Helper()
	p, err := w.client.CoreV1().Pods(ns).Get(w.t.Context(), name, metav1.GetOptions{})
	w.must(err)
	return podCondition(p)
}

func (w *world) deletePod(name string) {
	w.t.Helper()
	w.must(w.client.CoreV1().Pods(ns).Delete(w.t.Context(), name, gone))
}

// requests that have been made so far, by verb: binds and conditions.
func (w *world) requests() (binds, writes int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.binds), w.writes
}
