package mutant

import (
	"k8s.io/apimachinery/pkg/api/meta"

	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Stories that are told of several faults.

func satisfied(s *stage) string {
	s.node("a", 1)
	s.group("g", 1)
	s.pods("g", 0, 1)
	return s.says("g")
}

func refused(s *stage) string {
	s.node("a", 1)
	s.group("g", 2)
	s.pods("g", 0, 2)
	return s.says("g")
}

func twoRacks(s *stage) string {
	s.node("a", 1, "rack", "1")
	s.node("b", 1, "rack", "2")
	s.group("g", 2, within("rack"))
	s.pods("g", 0, 2)
	return s.bound()
}

// spill: a late member finds no room in its gang's rack, but in another.
func spill(s *stage) string {
	s.node("a", 1, "rack", "1")
	s.group("g", 1, within("rack"))
	s.pods("g", 0, 1)
	s.wait()
	s.node("b", 1, "rack", "2")
	s.pods("g", 1, 2)
	return s.bound()
}

// halfTree: one of two children that are needed fits.
func halfTree(s *stage) string {
	s.node("a", 1)
	s.composite("tree", 2)
	s.group("one", 1, below("tree"))
	s.pods("one", 0, 1)
	s.group("two", 2, below("tree"))
	s.pods("two", 0, 2)
	return s.bound()
}

func hopeless(s *stage) string {
	s.node("a", 1)
	s.group("low", 1)
	s.pods("low", 0, 1)
	s.wait()
	s.group("high", 2, important(9))
	s.pods("high", 0, 2, priority(9))
	return s.bound()
}

// needsOne: of two members that are disrupted singly one has to go.
func needsOne(s *stage) string {
	s.node("a", 2)
	s.group("low", 1)
	s.pods("low", 0, 1)
	s.wait()
	s.pods("low", 1, 2)
	s.wait()
	s.group("high", 1, important(9))
	s.pods("high", 0, 1, priority(9))
	return s.bound()
}

func equals(s *stage) string {
	s.node("a", 1)
	s.group("low", 1, important(9))
	s.pods("low", 0, 1, priority(9))
	s.wait()
	s.group("high", 1, important(9))
	s.pods("high", 0, 1, priority(9))
	return s.bound()
}

// pair: two members that are only disrupted together, of which one is in the way.
func pair(s *stage) string {
	s.node("a", 2)
	s.group("low", 2, together)
	s.pods("low", 0, 2)
	s.wait()
	s.group("high", 1, important(9))
	s.pods("high", 0, 1, priority(9))
	return s.bound()
}

func told(s *stage) string {
	pair(s)
	g, err := s.client.SchedulingV1beta1().PodGroups(ns).Get(s.t.Context(), "low", metav1.GetOptions{})
	s.must(err)
	if c := meta.FindStatusCondition(g.Status.Conditions, schedulingv1beta1.DisruptionTarget); c != nil && c.Status == metav1.ConditionTrue {
		return "True"
	}
	return "nothing"
}
