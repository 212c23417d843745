package preemption

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"muster/suites/history/historytest"
	"muster/suites/kit/kittest"
)

// Stories about a gang whose nominated place is lost while its victims end.
func badPlaceStories() []told {
	const name = "preemption-place-is-lost-while-victims-end"
	shut := func(closed bool) historytest.NodeOption {
		return func(n *corev1.Node) { n.Spec.Unschedulable = closed }
	}
	begun := func() teller {
		b := begin().nodes("main", 4, 1)
		for i, pod := range []string{"slow-0", "slow-1", "quick-0", "quick-1"} {
			b.stands(pod, "", []string{"main-0", "main-1", "main-2", "main-3"}[i], 100)
		}
		b.ChangeNode("main-2", shut(true)).ChangeNode("main-3", shut(true))
		return b.ready().attack("g", "main", 2, 2)
	}
	// lost is the moment at which node main-0 is closed, if it is, and two others are opened.
	lost := func(b teller, closed bool) teller {
		b.ChangeNode("main-0", shut(closed)).ChangeNode("main-2", shut(false)).ChangeNode("main-3", shut(false)).Mark("place lost")
		return b
	}
	ending := func() teller { b := begun(); b.Evict("slow-0", "slow-1"); return b }
	over := func(b teller) teller { b.Gone("slow-0", "slow-1"); return b }
	return []told{
		{name, "waits for the drain", over(lost(ending(), true)).evict("quick-0").bind("g-0", "main-1").bind("g-1", "main-2").settled(), verdicts{"PRE-071": seen}},
		{name, "goes elsewhere at once", over(lost(ending(), true).evict("quick-0", "quick-1").bind("g-0", "main-2").bind("g-1", "main-3")).settled(), verdicts{"PRE-071": seen}},
		{name, "nobody ends", lost(begun(), true).inVain(), verdicts{"PRE-071": unclear}},
		{name, "the place is good", over(lost(ending(), false)).bind("g-0", "main-0").bind("g-1", "main-1").settled(), verdicts{"PRE-071": unclear}},
		{name, "ended before", lost(over(ending()), true).evict("quick-0").bind("g-0", "main-1").bind("g-1", "main-2").settled(), verdicts{"PRE-071": unclear}},
	}
}

// What people read of it.
func TestBadPlaceValues(t *testing.T) {
	want := map[string]string{
		"waits for the drain":    "0 of 2 other pods evicted while the first victims end; the gang is bound when they have ended",
		"goes elsewhere at once": "2 of 2 other pods evicted while the first victims end; the gang is bound before they have ended",
	}
	for _, s := range badPlaceStories() {
		if w := want[s.name]; w != "" {
			if _, f := kittest.Judge(t, s.scenario, s.tell.View()); len(f) != 1 || f[0].Value != w {
				t.Errorf("%s: %+v, want the value %q", s.name, f, w)
			}
		}
	}
}
