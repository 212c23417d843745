package mutant

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kubetesting "k8s.io/client-go/testing"
)

// refuse has the next bind of a pod answered so.
func (s *stage) refuse(pod string, answer error) {
	once := false
	s.client.PrependReactor("create", "pods", func(a kubetesting.Action) (bool, runtime.Object, error) {
		if a.GetSubresource() != "binding" || a.(kubetesting.CreateAction).GetObject().(*corev1.Binding).Name != pod {
			return false, nil, nil
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if once {
			return false, nil, nil
		}
		once = true
		return true, nil, answer
	})
}

// without refuses every bind to a node.
func (s *stage) without(node string) {
	s.client.PrependReactor("create", "pods", func(a kubetesting.Action) (bool, runtime.Object, error) {
		refused := a.GetSubresource() == "binding" && a.(kubetesting.CreateAction).GetObject().(*corev1.Binding).Target.Name == node
		return refused, nil, apierrors.NewInternalError(errBroken)
	})
}

type broken string

func (b broken) Error() string { return string(b) }

const errBroken = broken("it is broken")

func (s *stage) relabel(node, key, value string) {
	n, err := s.client.CoreV1().Nodes().Get(s.t.Context(), node, metav1.GetOptions{})
	s.must(err)
	n = n.DeepCopy()
	n.Labels[key] = value
	_, err = s.client.CoreV1().Nodes().Update(s.t.Context(), n, metav1.UpdateOptions{})
	s.must(err)
}

// deletedWhileBound: a member is deleted before the request for its bind arrives; another pod wants its room.
func deletedWhileBound(s *stage) string {
	s.client.PrependReactor("create", "pods", func(a kubetesting.Action) (bool, runtime.Object, error) {
		if a.GetSubresource() != "binding" || a.(kubetesting.CreateAction).GetObject().(*corev1.Binding).Name != "g-0" {
			return false, nil, nil
		}
		_ = s.client.Tracker().Delete(corev1.SchemeGroupVersion.WithResource("pods"), ns, "g-0")
		return true, nil, apierrors.NewNotFound(corev1.Resource("pods"), "g-0")
	})
	s.pods("g", 0, 1)
	s.wait()
	s.pods("single", 0, 1)
	return s.bound()
}

var survival = map[string]tale{
	"takes-conflicts-for-done": {func(s *stage) string {
		s.refuse("g-1", apierrors.NewConflict(corev1.Resource("pods"), "g-1", errBroken))
		s.node("a", 4)
		s.group("g", 2)
		s.pods("g", 0, 2)
		return s.bound()
	}, "g-0 g-1", "g-0"},
	"takes-silence-for-consent": {func(s *stage) string {
		s.refuse("g-1", errBroken)
		s.node("a", 4)
		s.group("g", 2)
		s.pods("g", 0, 2)
		return s.bound()
	}, "g-0 g-1", "g-0"},
	"insists-on-the-node": {func(s *stage) string {
		s.without("a")
		s.node("a", 1)
		s.node("b", 1)
		s.group("g", 1)
		s.pods("g", 0, 1)
		return s.bound()
	}, "g-0", ""},
	"never-frees-what-was-in-doubt": {func(s *stage) string {
		s.refuse("g-0", errBroken)
		s.node("a", 1)
		s.group("g", 1)
		s.pods("g", 0, 1)
		s.wait()
		s.delete("g-0")
		s.pods("single", 0, 1)
		return s.bound()
	}, "single-0", ""},
	"gives-up-broken-gangs": {func(s *stage) string {
		s.node("a", 4)
		s.group("g", 2)
		s.pods("g", 0, 1, on("a"))
		s.wait()
		s.delete("g-0")
		s.wait()
		s.pods("g", 1, 3)
		return s.bound()
	}, "g-1 g-2", ""},
	"evicts-for-those-who-fit": {func(s *stage) string {
		s.node("a", 2)
		s.pods("single-low", 0, 1, on("a"))
		s.wait()
		s.group("high", 1, important(9))
		s.pods("high", 0, 1, priority(9))
		return s.bound()
	}, "high-0 single-low-0", "high-0"},
	"evicts-the-relabelled": {func(s *stage) string {
		s.node("a", 1, "rack", "1")
		s.group("g", 1, within("rack"))
		s.pods("g", 0, 1)
		s.wait()
		s.relabel("a", "rack", "2")
		return s.bound()
	}, "g-0", ""},
	"moves-house-when-restarted": {func(s *stage) string {
		s.node("a", 2, "rack", "1")
		s.node("b", 1, "rack", "2")
		s.pods("g", 0, 1, on("a"))
		s.pods("g", 1, 2)
		s.wait()
		s.group("g", 1, within("rack")) // what exists at the start is heard of in any order
		s.wait()
		p, err := s.client.CoreV1().Pods(ns).Get(s.t.Context(), "g-1", metav1.GetOptions{})
		s.must(err)
		return p.Spec.NodeName
	}, "a", "b"},
	"keeps-the-room-of-the-deleted": {func(s *stage) string {
		s.node("a", 1)
		s.group("g", 1)
		return deletedWhileBound(s)
	}, "single-0", ""},
	"keeps-the-room-of-deleted-trees": {func(s *stage) string {
		s.node("a", 1)
		s.composite("tree", 1)
		s.group("g", 1, below("tree"))
		return deletedWhileBound(s)
	}, "single-0", ""},
	"one-short-in-a-domain": {func(s *stage) string {
		s.group("g", 0, within("rack"))
		s.pods("g", 0, 3)
		s.wait()
		s.node("a", 2, "rack", "1")
		return s.bound()
	}, "g-0 g-1", "g-0"},
	"one-beside-the-selector": {func(s *stage) string {
		s.node("a", 4, "muster.dev/pool", "p")
		s.node("b", 4, "muster.dev/pool", "p", "disk", "ssd")
		s.group("g", 1)
		s.pods("g", 0, 1, func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{"muster.dev/pool": "p", "disk": "ssd"} })
		s.wait()
		p, err := s.client.CoreV1().Pods(ns).Get(s.t.Context(), "g-0", metav1.GetOptions{})
		s.must(err)
		return p.Spec.NodeName
	}, "b", "a"},
	"evicts-trees-without-a-root": {func(s *stage) string {
		s.node("a", 4)
		s.composite("tree", 1)
		s.group("one", 1, below("tree"))
		s.pods("one", 0, 1)
		s.wait()
		s.must(s.client.SchedulingV1alpha3().CompositePodGroups(ns).Delete(s.t.Context(), "tree", metav1.DeleteOptions{}))
		return s.bound()
	}, "one-0", ""},
	"never-rests": {func(s *stage) string {
		refused(s)
		calls := len(s.client.Actions())
		s.wait()
		if len(s.client.Actions()) > calls+20 {
			return "busy"
		}
		return "quiet"
	}, "quiet", "busy"},
}

func TestFaultsOfSurvivalShow(t *testing.T) { show(t, survival) }
