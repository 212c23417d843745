package mutant

import "testing"

// incomplete: a gang of which one member is missing would need the node of a pod of lower priority.
func incomplete(s *stage) string {
	s.node("a", 1)
	s.pods("single-low", 0, 1, on("a"))
	s.wait()
	s.group("high", 2, important(9))
	s.pods("high", 0, 1, priority(9))
	return s.bound()
}

// superior: a group could only have the node of a pod of higher priority.
func superior(s *stage) string {
	s.node("a", 1)
	s.pods("single-top", 0, 1, on("a"), priority(99))
	s.wait()
	s.group("high", 1, important(9))
	s.pods("high", 0, 1, priority(9))
	return s.bound()
}

// full: nodes of a core each are held by pods of lower priority, and a gang needs them all.
func full(nodes ...string) func(*stage) string {
	return func(s *stage) string {
		for i, n := range nodes {
			s.node(n, 1)
			s.pods("single-low", i, i+1, on(n))
		}
		s.wait()
		s.group("high", int32(len(nodes)), important(9))
		s.pods("high", 0, len(nodes), priority(9))
		return s.bound()
	}
}

func TestFaultsOfPreemptionShow(t *testing.T) {
	show(t, map[string]tale{
		"evicts-for-the-incomplete": {incomplete, "single-low-0", ""},
		"takes-its-superiors":       {superior, "single-top-0", "high-0"},
		"gangs-evict-nobody":        {full("a"), "high-0", "single-low-0"},
		"evicts-on-one-node":        {full("a", "b"), "high-0 high-1", "single-low-0 single-low-1"},
		"evicts-for-ever":           {full("a"), "high-0", ""},
	})
}
