package history_test

import (
	"testing"

	"muster/suites/history"
	. "muster/suites/history/historytest"
)

func gangNames(gangs []*history.Gang) (out []string) {
	for _, g := range gangs {
		out = append(out, g.Name)
	}
	return out
}

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: %v, want %v", what, got, want)
			return
		}
	}
}

func TestTree(t *testing.T) {
	v := New().
		Composite("root", 2, OneDomain("zone"), GangPriority(7), DisruptedTogether).
		BasicComposite("mid", Under("root")).
		Gang("a", 2, Under("root")).Gang("b", 1, Under("mid")).Gang("c", 1).
		Pods("a", 2).Pods("b", 1).Pods("c", 1).
		CompositeSays("root", "True", "Scheduled").View()
	root, mid := v.Composite("root"), v.Composite("mid")
	if root == nil || mid == nil || v.Composite("nobody") != nil || len(v.Composites) != 2 {
		t.Fatalf("composites %v", v.Composites)
	}
	if root.Basic || root.Quorum != 2 || root.TopologyKey != "zone" || root.Priority != 7 || !root.DisruptAll || root.Parent != "" {
		t.Errorf("root read as %+v", root)
	}
	if !mid.Basic || mid.Quorum != 0 || mid.Parent != "root" || mid.DisruptAll {
		t.Errorf("mid read as %+v", mid)
	}
	if last, _ := history.Latest(root.Satisfied); last.Status != "True" || len(mid.Satisfied) != 0 {
		t.Errorf("satisfied: %+v and %+v", root.Satisfied, mid.Satisfied)
	}
	if len(v.Gangs) != 3 {
		t.Errorf("composites were taken for gangs: %v", gangNames(v.Gangs))
	}
	gangs, composites := v.ChildrenOf(root)
	same(t, "children of root", gangNames(gangs), "a")
	if len(composites) != 1 || composites[0] != mid {
		t.Errorf("composites under root: %v", composites)
	}
	same(t, "leaves of root", gangNames(v.LeavesOf(root)), "a", "b")
	if n := len(v.PodsUnder(root)); n != 3 {
		t.Errorf("%d pods under root, want 3", n)
	}
	above := v.AncestorsOf(v.Gang("b").Namespace, v.Gang("b").Parent)
	if len(above) != 2 || above[0] != mid || above[1] != root {
		t.Errorf("above b: %v", above)
	}
	if above := v.AncestorsOf(Namespace, "nobody"); len(above) != 0 {
		t.Errorf("above an orphan: %v", above)
	}
}

// A circle of parents is no endless walk.
func TestTreeInACircle(t *testing.T) {
	v := New().Composite("x", 1, Under("y")).Composite("y", 1, Under("x")).Gang("g", 1, Under("x")).Pods("g", 1).View()
	same(t, "leaves", gangNames(v.LeavesOf(v.Composite("y"))), "g")
	if above := v.AncestorsOf(Namespace, "x"); len(above) != 2 {
		t.Errorf("above g: %v", above)
	}
}

func TestCompositeEnds(t *testing.T) {
	v := New().Composite("c", 1).CompositeGone("c").Composite("c", 2).View()
	if len(v.Composites) != 2 || v.Composites[0].Gone.IsZero() || v.Composites[0].Deleting.IsZero() || v.Composite("c").Quorum != 2 {
		t.Errorf("composites %+v %+v", v.Composites[0], v.Composites[1])
	}
}
