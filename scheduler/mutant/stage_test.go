package mutant

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	kubetesting "k8s.io/client-go/testing"

	"muster/scheduler/control"
)

const ns = "team"

// stage is a scheduler before a make-believe API server, in a bubble in which time passes when nobody has anything to do.
type stage struct {
	t      *testing.T
	client *fake.Clientset

	mu     sync.Mutex
	graces []string // grace periods of the pods deleted by the scheduler
}

// play starts a scheduler with a fault (nil for none), runs a story before it and returns what the story observed.
func play(t *testing.T, fault *control.Fault, story func(*stage) string) (seen string) {
	synctest.Test(t, func(t *testing.T) {
		s := &stage{t: t, client: fake.NewClientset()}
		s.client.PrependReactor("create", "pods", s.bind)
		s.client.PrependReactor("delete", "pods", func(a kubetesting.Action) (bool, runtime.Object, error) {
			if o := a.(kubetesting.DeleteActionImpl).DeleteOptions; o.Preconditions != nil {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.graces = append(s.graces, fmt.Sprint(o.GracePeriodSeconds != nil))
			}
			return false, nil, nil
		})
		scheduler, err := control.New(control.Options{Client: s.client, Fault: fault})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- scheduler.Run(ctx) }()
		s.wait()
		seen = story(s)
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return seen
}

// wait lets time pass, as much as everything needs to come to rest.
func (s *stage) wait() {
	<-time.After(5 * time.Second)
	synctest.Wait()
}

func (s *stage) bind(a kubetesting.Action) (bool, runtime.Object, error) {
	if a.GetSubresource() != "binding" {
		return false, nil, nil
	}
	b := a.(kubetesting.CreateAction).GetObject().(*corev1.Binding)
	pods := corev1.SchemeGroupVersion.WithResource("pods")
	obj, err := s.client.Tracker().Get(pods, b.Namespace, b.Name)
	if err != nil {
		return true, nil, err
	}
	p := obj.(*corev1.Pod).DeepCopy()
	p.Spec.NodeName = b.Target.Name
	return true, b, s.client.Tracker().Update(pods, p, b.Namespace)
}

func (s *stage) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// node offers cores; labels are pairs of key and value.
func (s *stage) node(name string, cpu int64, labels ...string) {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name}}}
	for i := 0; i < len(labels); i += 2 {
		n.Labels[labels[i]] = labels[i+1]
	}
	n.Status.Allocatable = corev1.ResourceList{corev1.ResourcePods: *resource.NewQuantity(110, resource.DecimalSI),
		corev1.ResourceCPU: *resource.NewQuantity(cpu, resource.DecimalSI)}
	_, err := s.client.CoreV1().Nodes().Create(s.t.Context(), n, metav1.CreateOptions{})
	s.must(err)
}

// pods are some of a group (or of none) that ask for a core each, named after the group.
func (s *stage) pods(group string, from, to int, edit ...func(*corev1.Pod)) {
	s.t.Helper()
	for i := from; i < to; i++ {
		name := fmt.Sprintf("%s-%d", group, i)
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name, UID: types.UID("uid-" + name), CreationTimestamp: metav1.Now()},
			Spec: corev1.PodSpec{SchedulerName: control.DefaultName, Containers: []corev1.Container{{Name: "c", Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{corev1.ResourceCPU: *resource.NewQuantity(1, resource.DecimalSI)}}}}}}
		if !strings.HasPrefix(group, "single") {
			p.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &group}
		}
		for _, f := range edit {
			f(p)
		}
		_, err := s.client.CoreV1().Pods(p.Namespace).Create(s.t.Context(), p, metav1.CreateOptions{})
		s.must(err)
	}
}

func on(node string) func(*corev1.Pod)   { return func(p *corev1.Pod) { p.Spec.NodeName = node } }
func priority(n int32) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Spec.Priority = &n } }

// group makes a PodGroup: a gang with that quorum, or with the basic policy where it is 0.
func (s *stage) group(name string, quorum int32, edit ...func(*schedulingv1beta1.PodGroup)) {
	s.t.Helper()
	g := &schedulingv1beta1.PodGroup{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name, UID: types.UID("uid-" + name), Generation: 1}}
	if quorum > 0 {
		g.Spec.SchedulingPolicy.Gang = &schedulingv1beta1.GangSchedulingPolicy{MinCount: quorum}
	} else {
		g.Spec.SchedulingPolicy.Basic = &schedulingv1beta1.BasicSchedulingPolicy{}
	}
	for _, f := range edit {
		f(g)
	}
	_, err := s.client.SchedulingV1beta1().PodGroups(g.Namespace).Create(s.t.Context(), g, metav1.CreateOptions{})
	s.must(err)
}

func within(key string) func(*schedulingv1beta1.PodGroup) {
	return func(g *schedulingv1beta1.PodGroup) {
		g.Spec.SchedulingConstraints = &schedulingv1beta1.PodGroupSchedulingConstraints{Topology: []schedulingv1beta1.TopologyConstraint{{Key: key}}}
	}
}

func important(n int32) func(*schedulingv1beta1.PodGroup) {
	return func(g *schedulingv1beta1.PodGroup) { g.Spec.Priority = &n }
}

func together(g *schedulingv1beta1.PodGroup) {
	g.Spec.DisruptionMode = &schedulingv1beta1.DisruptionMode{All: &schedulingv1beta1.AllDisruptionMode{}}
}

func below(parent string) func(*schedulingv1beta1.PodGroup) {
	return func(g *schedulingv1beta1.PodGroup) { g.Spec.ParentCompositePodGroupName = &parent }
}

// composite makes a CompositePodGroup that needs so many children.
func (s *stage) composite(name string, children int32, edit ...func(*schedulingv1alpha3.CompositePodGroup)) {
	s.t.Helper()
	g := &schedulingv1alpha3.CompositePodGroup{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name, UID: types.UID("uid-" + name), Generation: 1}}
	g.Spec.SchedulingPolicy.Gang = &schedulingv1alpha3.CompositeGangSchedulingPolicy{MinGroupCount: children}
	for _, f := range edit {
		f(g)
	}
	_, err := s.client.SchedulingV1alpha3().CompositePodGroups(ns).Create(s.t.Context(), g, metav1.CreateOptions{})
	s.must(err)
}

func (s *stage) delete(pod string) {
	s.t.Helper()
	s.must(s.client.CoreV1().Pods(ns).Delete(s.t.Context(), pod, metav1.DeleteOptions{}))
}

// succeed ends pods well.
func (s *stage) succeed(pods ...string) {
	s.t.Helper()
	for _, name := range pods {
		p, err := s.client.CoreV1().Pods(ns).Get(s.t.Context(), name, metav1.GetOptions{})
		s.must(err)
		p.Status.Phase = corev1.PodSucceeded
		_, err = s.client.CoreV1().Pods(ns).UpdateStatus(s.t.Context(), p, metav1.UpdateOptions{})
		s.must(err)
	}
}

// quorum changes a gang's.
func (s *stage) quorum(group string, n int32) {
	s.t.Helper()
	groups := s.client.SchedulingV1beta1().PodGroups(ns)
	g, err := groups.Get(s.t.Context(), group, metav1.GetOptions{})
	s.must(err)
	g.Spec.SchedulingPolicy.Gang.MinCount = n
	_, err = groups.Update(s.t.Context(), g, metav1.UpdateOptions{})
	s.must(err)
}

// bound are the pods that have a node, by name.
func (s *stage) bound() string {
	s.t.Helper()
	s.wait()
	list, err := s.client.CoreV1().Pods("").List(s.t.Context(), metav1.ListOptions{})
	s.must(err)
	out := []string{}
	for _, p := range list.Items {
		if p.Spec.NodeName != "" {
			out = append(out, p.Name)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// says is the status and reason of a group's condition.
func (s *stage) says(group string) string {
	s.t.Helper()
	s.wait()
	g, err := s.client.SchedulingV1beta1().PodGroups(ns).Get(s.t.Context(), group, metav1.GetOptions{})
	s.must(err)
	if c := meta.FindStatusCondition(g.Status.Conditions, schedulingv1beta1.PodGroupInitiallyScheduled); c != nil {
		return fmt.Sprintf("%s %s %d", c.Status, c.Reason, c.ObservedGeneration)
	}
	return "nothing"
}
