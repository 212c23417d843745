package engine_test

import (
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"muster/scheduler/engine"
)

// sameForAlike: of roots that are alike, and for which no room is kept, preemption helps all or none.
func (w *bazaar) sameForAlike(t *rapid.T) {
	helped, hopeless := map[engine.Class]engine.Root{}, map[engine.Class]engine.Root{}
	for _, name := range slices.Sorted(maps.Keys(w.pods)) {
		r, _ := w.e.Lookup(engine.Key{Namespace: ns, Name: name})
		class, ok := w.e.Alike(r)
		if !ok || w.e.Seated(r) || w.e.Solve(r).Outcome != engine.Unschedulable {
			continue
		}
		if p := w.e.Preempt(r); p.Kind == engine.NoPlan {
			hopeless[class] = r
		} else {
			helped[class] = r
		}
	}
	for class, r := range hopeless {
		if o, ok := helped[class]; ok {
			t.Fatalf("preemption helps %s, but not %s, which is alike", o, r)
		}
	}
}

// TestAlike: roots are alike where nothing tells them apart that an answer could depend on.
func TestAlike(t *testing.T) {
	e := engine.New(engine.Options{})
	e.UpsertNode(node("a", 4, 0))
	group := func(name string, quorum int32, n int, cores int64, edit ...func(*corev1.Pod)) engine.Root {
		e.UpsertGroup(gang(name, quorum))
		for i := range n {
			e.UpsertPod(pod(name+"-"+string(rune('a'+i)), name, cores, 0, edit...))
		}
		return root(engine.KindPodGroup, name)
	}
	lone := func(name string, cores int64, edit ...func(*corev1.Pod)) engine.Root {
		e.UpsertPod(pod(name, "", cores, 0, edit...))
		return root(engine.KindPod, name)
	}
	standing := group("standing", 1, 1, 1)
	e.UpsertPod(pod("standing-b", "standing", 1, 0, bind("a")))
	mixed := group("mixed", 2, 1, 1)
	e.UpsertPod(pod("mixed-b", "mixed", 2, 0))
	never := func(p *corev1.Pod) { v := corev1.PreemptNever; p.Spec.PreemptionPolicy = &v }

	base, _ := e.Alike(lone("one", 9))
	gangBase, _ := e.Alike(group("two", 2, 3, 9))
	for _, tc := range []struct {
		name  string
		root  engine.Root
		class engine.Class
		alike bool
		known bool
	}{
		{"an equal pod", lone("other", 9), base, true, true},
		{"another shape", lone("small", 8), base, false, true},
		{"another priority", lone("urgent", 9, priority(5)), base, false, true},
		{"another policy", lone("meek", 9, never), base, false, true},
		{"a rule about others", lone("lonely", 9, labelled("x"), against(corev1.LabelHostname, "x")), base, false, false},
		{"an equal gang", group("twin", 2, 3, 9), gangBase, true, true},
		{"another quorum", group("strict", 3, 3, 9), gangBase, false, true},
		{"more members", group("large", 2, 4, 9), gangBase, false, true},
		{"a member that stands", standing, gangBase, false, false},
		{"several shapes", mixed, gangBase, false, false},
		{"a gang short of members", group("short", 2, 1, 9), gangBase, false, false},
		{"nobody", root(engine.KindPod, "nobody"), base, false, false},
	} {
		c, ok := e.Alike(tc.root)
		if ok != tc.known || ok && (c == tc.class) != tc.alike {
			t.Errorf("%s: alike %v, known %v", tc.name, ok && c == tc.class, ok)
		}
	}
}
