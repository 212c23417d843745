package mutant

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// stories are told before the reference scheduler and before a mutant, and what is seen at their end is not the same.
var stories = map[string]tale{
	"one-short": {func(s *stage) string {
		s.node("a", 4)
		s.group("g", 3)
		s.pods("g", 0, 2)
		return s.bound()
	}, "", "g-0 g-1"},
	"blind-to-templates": {func(s *stage) string {
		s.node("a", 1)
		s.group("g", 2, func(g *schedulingv1beta1.PodGroup) {
			g.Spec.WorkloadRef = &schedulingv1beta1.WorkloadReference{WorkloadName: "w", TemplateName: "t"}
		})
		s.group("h", 2)
		s.pods("g", 0, 2)
		s.pods("h", 0, 2)
		return s.bound()
	}, "", "g-0"},
	"forgets-who-is-done": {func(s *stage) string {
		s.node("a", 2)
		s.group("g", 2)
		s.pods("g", 0, 2)
		s.wait()
		s.succeed("g-0", "g-1")
		s.wait()
		s.pods("g", 2, 3)
		return s.bound()
	}, "g-0 g-1 g-2", "g-0 g-1"},
	"partial-fit": {func(s *stage) string {
		s.node("a", 1)
		s.group("g", 2)
		s.pods("g", 0, 2)
		return s.bound()
	}, "", "g-0"},
	"never-lowers-quorum": {func(s *stage) string {
		s.node("a", 4)
		s.group("g", 2)
		s.pods("g", 0, 1)
		s.wait()
		s.quorum("g", 1)
		return s.bound()
	}, "g-0", ""},
	"never-raises-quorum": {func(s *stage) string {
		s.node("a", 4)
		s.group("g", 1)
		s.wait()
		s.quorum("g", 2)
		s.wait()
		s.pods("g", 0, 1)
		return s.bound()
	}, "", "g-0"},
	"stops-at-quorum": {func(s *stage) string {
		s.node("a", 4)
		s.group("g", 2)
		s.pods("g", 0, 3)
		return s.bound()
	}, "g-0 g-1 g-2", "g-0 g-1"},
	"forgets-latecomers": {func(s *stage) string {
		s.node("a", 4)
		s.group("g", 1)
		s.pods("g", 0, 1)
		s.wait()
		s.pods("g", 1, 2)
		return s.bound()
	}, "g-0 g-1", "g-0"},
	"forgets-what-it-did-not-bind": {func(s *stage) string {
		s.node("a", 4)
		s.group("g", 2)
		s.pods("g", 0, 1, on("a"))
		s.pods("g", 1, 2)
		return s.bound()
	}, "g-0 g-1", "g-0"},
	"late-group": {func(s *stage) string {
		s.node("a", 4)
		s.pods("g", 0, 2)
		s.wait()
		s.group("g", 2)
		return s.bound()
	}, "g-0 g-1", ""},
	"counts-ghosts": {func(s *stage) string {
		s.node("a", 4)
		s.group("g", 3)
		s.pods("g", 0, 2)
		s.wait()
		s.delete("g-1")
		s.pods("g", 2, 3)
		return s.bound()
	}, "", "g-0 g-2"},
	"evicts-the-survivors": {func(s *stage) string {
		s.node("a", 4)
		s.group("g", 2)
		s.pods("g", 0, 2)
		s.wait()
		s.delete("g-1")
		return s.bound()
	}, "g-0", ""},
	"deaf-to-ungating": {func(s *stage) string {
		s.node("a", 4)
		s.group("g", 1)
		s.pods("g", 0, 1, func(p *corev1.Pod) { p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "x"}} })
		s.wait()
		p, err := s.client.CoreV1().Pods(ns).Get(s.t.Context(), "g-0", metav1.GetOptions{})
		s.must(err)
		p.Spec.SchedulingGates = nil
		_, err = s.client.CoreV1().Pods(ns).Update(s.t.Context(), p, metav1.UpdateOptions{})
		s.must(err)
		return s.bound()
	}, "g-0", ""},
	"blind-to-ports": {func(s *stage) string {
		s.node("a", 4)
		s.group("g", 2)
		s.pods("g", 0, 2, func(p *corev1.Pod) {
			p.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 80}}
		})
		return s.bound()
	}, "", "g-0 g-1"},
	"waits-behind-the-gang": {func(s *stage) string {
		s.node("a", 1)
		s.group("g", 2)
		s.pods("g", 0, 2)
		s.wait()
		s.pods("single", 0, 1)
		return s.bound()
	}, "single-0", ""},
	"all-one-namespace": {func(s *stage) string {
		s.node("a", 4)
		s.group("g", 3)
		s.wait()
		s.group("g", 1, func(g *schedulingv1beta1.PodGroup) { g.Namespace, g.UID = ns+"-other", "another" })
		s.pods("g", 0, 1, func(p *corev1.Pod) { p.Namespace = ns + "-other" })
		return s.bound()
	}, "g-0", ""},
	"trusts-the-pods-priority": {func(s *stage) string {
		s.node("a", 4)
		s.group("g", 1, important(5))
		s.wait()
		s.pods("g", 0, 1, priority(7))
		return s.bound()
	}, "", "g-0"},
	"keeps-a-group-that-is-gone": {func(s *stage) string {
		s.node("a", 4)
		s.group("g", 1)
		s.wait()
		s.must(s.client.SchedulingV1beta1().PodGroups(ns).Delete(s.t.Context(), "g", metav1.DeleteOptions{}))
		s.wait()
		s.pods("g", 0, 1)
		return s.bound()
	}, "", "g-0"},
	"basic-wants-company": {func(s *stage) string {
		s.node("a", 4)
		s.group("g", 0)
		s.pods("g", 0, 1)
		return s.bound()
	}, "g-0", ""},
	"basic-one-chance": {func(s *stage) string {
		s.node("a", 1)
		s.wait() // or the pods may be heard of before the node, and miss their one chance
		s.group("g", 0)
		s.pods("g", 0, 2)
		s.wait()
		s.node("b", 1)
		return s.bound()
	}, "g-0 g-1", "g-0"},
	"silent-success":    {satisfied, "True Scheduled 1", "nothing"},
	"generation-ahead":  {satisfied, "True Scheduled 1", "True Scheduled 2"},
	"silent-refusal":    {refused, "False Unschedulable 1", "nothing"},
	"lies-in-status":    {refused, "False Unschedulable 1", "True Unschedulable 1"},
	"reason-of-its-own": {refused, "False Unschedulable 1", "False NoLuck 1"},
	"takes-back-its-word": {func(s *stage) string {
		s.node("a", 1)
		s.group("g", 1)
		s.pods("g", 0, 1)
		s.wait()
		s.pods("g", 1, 2)
		return s.says("g")
	}, "True Scheduled 1", "False Unschedulable 1"},
	"soft-topology": {twoRacks, "", "g-0 g-1"},
	"blank-domain": {func(s *stage) string {
		s.node("a", 2)
		s.group("g", 2, within("rack"))
		s.pods("g", 0, 2)
		return s.bound()
	}, "", "g-0 g-1"},
	"forgets-the-domain": {spill, "g-0", "g-0 g-1"},
	"extras-spill":       {spill, "g-0", "g-0 g-1"},
	"first-domain-only": {func(s *stage) string {
		s.node("a", 1, "rack", "1")
		s.node("b", 2, "rack", "2")
		s.group("g", 2, within("rack"))
		s.pods("g", 0, 2)
		return s.bound()
	}, "g-0 g-1", ""},
	"one-node-is-nothing": {func(s *stage) string {
		s.node("a", 1)
		s.node("b", 1)
		s.group("g", 2, within(corev1.LabelHostname))
		s.pods("g", 0, 2)
		return s.bound()
	}, "", "g-0 g-1"},
	"basic-anywhere": {func(s *stage) string {
		s.node("a", 1, "rack", "1")
		s.node("b", 1)
		s.group("g", 0, within("rack"))
		s.pods("g", 0, 2)
		return s.bound()
	}, "g-0", "g-0 g-1"},
	"blind-to-parents":  {halfTree, "", "one-0"},
	"any-child-will-do": {halfTree, "", "one-0"},
	"composite-anywhere": {func(s *stage) string {
		s.node("a", 1, "rack", "1")
		s.node("b", 1, "rack", "2")
		s.composite("tree", 2, func(g *schedulingv1alpha3.CompositePodGroup) {
			g.Spec.SchedulingConstraints = &schedulingv1alpha3.CompositePodGroupSchedulingConstraints{Topology: []schedulingv1alpha3.TopologyConstraint{{Key: "rack"}}}
		})
		for _, g := range []string{"one", "two"} {
			s.group(g, 1, below("tree"))
			s.pods(g, 0, 1)
		}
		return s.bound()
	}, "", "one-0 two-0"},
	"evicts-in-vain":         {hopeless, "low-0", ""},
	"evicts-everybody":       {needsOne, "high-0 low-0", "high-0"},
	"evicts-equals":          {equals, "low-0", "high-0"},
	"always-one-by-one":      {pair, "high-0", "high-0 low-0"},
	"always-the-whole-group": {needsOne, "high-0 low-0", "high-0"},
	"untold-groups":          {told, "True", "nothing"},
	"no-grace": {func(s *stage) string {
		needsOne(s)
		return fmt.Sprint(s.graces)
	}, "[false]", "[true]"},
	"basic-evicts-nobody": {func(s *stage) string {
		s.node("a", 1)
		s.pods("single-low", 0, 1, on("a"))
		s.group("high", 0, important(9))
		s.pods("high", 0, 1, priority(9))
		return s.bound()
	}, "high-0", "single-low-0"},
}

func TestFaultsShow(t *testing.T) { show(t, stories) }

// tale is a story, and what is seen at its end without and with a fault.
type tale struct {
	story      func(*stage) string
	right, not string
}

// show plays the story of each fault, by its name, without it and with it.
func show(t *testing.T, stories map[string]tale) {
	t.Helper()
	for name, x := range stories {
		t.Run(name, func(t *testing.T) {
			m, err := ByName(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := play(t, nil, x.story); got != x.right {
				t.Errorf("without the fault %q is seen, want %q", got, x.right)
			}
			if got := play(t, m.Fault(), x.story); got != x.not {
				t.Errorf("with the fault %q is seen, want %q", got, x.not)
			}
		})
	}
}
