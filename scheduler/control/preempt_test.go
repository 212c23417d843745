package control

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kubetesting "k8s.io/client-go/testing"
)

// slowly makes deletions of pods mark them as ending, as an API server does with a grace period; finish ends them.
func (w *world) slowly() (finish func(names ...string)) {
	w.client.PrependReactor("delete", "pods", func(a kubetesting.Action) (bool, runtime.Object, error) {
		d := a.(kubetesting.DeleteActionImpl)
		obj, err := w.client.Tracker().Get(podsResource, ns, d.GetName())
		if err != nil {
			return true, nil, err
		}
		p := obj.(*corev1.Pod).DeepCopy()
		if pre := d.DeleteOptions.Preconditions; pre != nil && pre.UID != nil && *pre.UID != p.UID {
			return true, nil, apierrors.NewConflict(podsResource.GroupResource(), p.Name, fmt.Errorf("another pod"))
		}
		now := metav1.Now()
		p.DeletionTimestamp = &now
		return true, nil, w.client.Tracker().Update(podsResource, p, ns)
	})
	return func(names ...string) {
		for _, name := range names {
			w.must(w.client.Tracker().Delete(podsResource, ns, name))
		}
	}
}

// ending are the names of the pods that are being deleted.
func (w *world) ending() []string {
	w.t.Helper()
	list, err := w.client.CoreV1().Pods(ns).List(w.t.Context(), metav1.ListOptions{})
	w.must(err)
	out := []string{}
	for _, p := range list.Items {
		if p.DeletionTimestamp != nil {
			out = append(out, p.Name)
		}
	}
	slices.Sort(out)
	return out
}

func (w *world) expectEnding(names ...string) {
	w.t.Helper()
	if got := w.ending(); !slices.Equal(got, append([]string{}, names...)) {
		w.t.Fatalf("being deleted are %q, want %q", got, names)
	}
}

func (w *world) get(name string) *corev1.Pod {
	w.t.Helper()
	p, err := w.client.CoreV1().Pods(ns).Get(w.t.Context(), name, metav1.GetOptions{})
	w.must(err)
	return p
}

func important(g *schedulingv1beta1.PodGroup) { p := int32(9); g.Spec.Priority = &p }

// A gang takes the room of pods of lower priority: they are told and deleted once, the members are nominated, nobody else
// gets the room while they end, and the gang is bound when they have.
func TestPreemption(t *testing.T) {
	inBubble(t, func(w *world) {
		finish := w.slowly()
		w.node("a", 2)
		w.node("b", 2)
		w.pod("low-a", "", 2, on("a"))
		w.pod("low-b", "", 2, on("b"))
		w.start()
		w.gang("high", 2, important)
		w.members("high", 2, 2, priority(9))
		w.wait(time.Second)
		w.expectEnding("low-a", "low-b")
		for _, name := range []string{"low-a", "low-b"} {
			i := slices.IndexFunc(w.get(name).Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == corev1.DisruptionTarget })
			if i < 0 || w.get(name).Status.Conditions[i].Status != corev1.ConditionTrue || w.get(name).Status.Conditions[i].Reason != corev1.PodReasonPreemptionByScheduler {
				t.Errorf("conditions of %s: %+v", name, w.get(name).Status.Conditions)
			}
		}
		for _, name := range []string{"high-0", "high-1"} {
			if w.get(name).Status.NominatedNodeName == "" {
				t.Errorf("%s is nominated for no node", name)
			}
		}
		if c := w.expectCondition("high", metav1.ConditionFalse, schedulingv1beta1.PodGroupReasonUnschedulable); c.Message == "" {
			t.Error("nothing is said")
		}
		finish("low-a")
		w.pod("equal", "", 2, priority(9))
		w.pod("low", "", 1)
		w.wait(time.Second)
		w.expectBound("low-b")
		w.expectEnding("low-b")
		finish("low-b")
		w.wait(time.Second)
		w.expectBound("high-0", "high-1")
		w.expectCondition("high", metav1.ConditionTrue, reasonScheduled)
	})
}

// A group that is only disrupted together is evicted and told as a whole.
func TestPreemptionOfAGroup(t *testing.T) {
	inBubble(t, func(w *world) {
		w.slowly()
		w.node("a", 1)
		w.node("b", 1)
		w.gang("low", 2, func(g *schedulingv1beta1.PodGroup) {
			g.Spec.DisruptionMode = &schedulingv1beta1.DisruptionMode{All: &schedulingv1beta1.AllDisruptionMode{}}
		})
		w.pod("low-a", "low", 1, on("a"))
		w.pod("low-b", "low", 1, on("b"))
		w.start()
		w.pod("high", "", 1, priority(9))
		w.wait(time.Second)
		w.expectEnding("low-a", "low-b")
		g, err := w.client.SchedulingV1beta1().PodGroups(ns).Get(t.Context(), "low", metav1.GetOptions{})
		w.must(err)
		c := meta.FindStatusCondition(g.Status.Conditions, schedulingv1beta1.DisruptionTarget)
		if c == nil || c.Status != metav1.ConditionTrue || c.Reason != schedulingv1beta1.PodGroupReasonPreemptionByScheduler {
			t.Errorf("conditions of the group: %+v", g.Status.Conditions)
		}
		w.expectCondition("low", metav1.ConditionTrue, reasonScheduled)
	})
}

// Who cannot be helped is told why, nobody is evicted, and it is helped once that has changed.
func TestPreemptionThatDoesNotHelp(t *testing.T) {
	inBubble(t, func(w *world) {
		w.slowly()
		w.node("a", 4)
		w.pod("low", "", 2, on("a"))
		w.pod("top", "", 2, on("a"), priority(99))
		w.start()
		w.gang("high", 1, important)
		w.members("high", 1, 4, priority(9))
		w.wait(3 * time.Second)
		w.expectEnding()
		c := w.expectCondition("high", metav1.ConditionFalse, schedulingv1beta1.PodGroupReasonUnschedulable)
		if want := "preemption does not help: would not fit even without the one pod or group of lower priority that runs"; !strings.Contains(c.Message, want) {
			t.Errorf("the message is %q, want it to say %q", c.Message, want)
		}
		w.must(w.client.Tracker().Delete(podsResource, ns, "top")) // no pod of four cores fits now, either
		w.wait(3 * time.Second)
		w.expectEnding("low")
	})
}

// Budgets are watched.
func TestPreemptionKnowsBudgets(t *testing.T) {
	inBubble(t, func(w *world) {
		w.slowly()
		w.node("a", 1)
		w.node("b", 1)
		w.pod("low-a", "", 1, on("a"), func(p *corev1.Pod) { p.Labels = map[string]string{"app": "a"} })
		w.pod("low-b", "", 1, on("b"), priority(1))
		b := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "a"}}
		b.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "a"}}
		_, err := w.client.PolicyV1().PodDisruptionBudgets(ns).Create(t.Context(), b, metav1.CreateOptions{})
		w.must(err)
		w.start()
		w.pod("high", "", 1, priority(9))
		w.wait(time.Second)
		w.expectEnding("low-b")
	})
}
