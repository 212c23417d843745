package engine_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"pgregory.net/rapid"

	"muster/scheduler/engine"
)

// town is a cluster that can be told to an engine with some of its pods left out.
type town struct {
	nodes   []*corev1.Node
	groups  []*schedulingv1beta1.PodGroup
	running map[string]*corev1.Pod // by name
	waiting []*corev1.Pod
	top     bool // the waiting groups lie below a composite
	key     string
	budgets int32
	opts    engine.Options
}

func (w *town) tell(without map[string]bool) *engine.Engine {
	e := engine.New(w.opts)
	for _, n := range w.nodes {
		e.UpsertNode(n)
	}
	for _, g := range w.groups {
		e.UpsertGroup(g)
	}
	if w.top {
		top := composite("top", 2, w.key, "")
		p := int32(10)
		top.Spec.Priority = &p
		e.UpsertComposite(top)
	}
	if w.budgets >= 0 {
		if err := e.UpsertBudget(budget("b", "a", w.budgets)); err != nil {
			panic(err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.running)) {
		if !without[name] {
			e.UpsertPod(w.running[name])
		}
	}
	for _, p := range w.waiting {
		e.UpsertPod(p)
	}
	return e
}

// drawTown draws nodes of up to eight cores that are full of pods of lower priority, some of them in groups that go
// together, some of a priority that is too high, and a gang, a basic group or a tree of gangs that waits.
func drawTown(t *rapid.T) (*town, engine.Root) {
	w := &town{running: map[string]*corev1.Pod{}, budgets: int32(rapid.IntRange(-1, 3).Draw(t, "budget"))}
	w.opts = engine.Options{Seed: rapid.Uint64().Draw(t, "seed"), PreemptForAll: rapid.Bool().Draw(t, "for all")}
	together := rapid.IntRange(0, 4).Draw(t, "groups")
	for i := range together {
		w.groups = append(w.groups, gang(fmt.Sprint("low", i), 1, disruptedTogether, groupPriority(int32(i%3))))
	}
	for i := range rapid.IntRange(1, 24).Draw(t, "nodes") {
		n := node(fmt.Sprint("n", i), int64(rapid.IntRange(1, 8).Draw(t, "cores")), int64(rapid.IntRange(0, 4).Draw(t, "gpus")), rack, fmt.Sprint("r", i/4), zone, fmt.Sprint("z", i/12))
		w.nodes = append(w.nodes, n)
		for j := range rapid.IntRange(0, 6).Draw(t, "pods") {
			group, prio := "", int32(rapid.IntRange(0, 3).Draw(t, "priority"))
			if prio == 3 {
				prio = 10
			} else if g := rapid.IntRange(0, 8).Draw(t, "group"); g < together {
				group, prio = fmt.Sprint("low", g), int32(g%3)
			}
			p := pod(fmt.Sprintf("n%d-%d", i, j), group, int64(rapid.IntRange(0, 3).Draw(t, "cpu")), int64(rapid.IntRange(0, 2).Draw(t, "gpu")), bind(n.Name), priority(prio),
				labelled(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "app")))
			w.running[p.Name] = p
		}
	}
	keys := []string{"", rack, zone}
	members := func(name string, edit ...func(*schedulingv1beta1.PodGroup)) {
		n := rapid.IntRange(1, 8).Draw(t, "members")
		g := gang(name, int32(rapid.IntRange(0, n).Draw(t, "quorum")), append(edit, groupPriority(10))...)
		if key := rapid.SampledFrom(keys).Draw(t, "key"); key != "" {
			inOne(key)(g)
		}
		w.groups = append(w.groups, g)
		shapes := rapid.IntRange(1, 2).Draw(t, "shapes")
		for i := range n {
			w.waiting = append(w.waiting, pod(fmt.Sprint(name, "-", i), name, int64(1+i%shapes*2), int64(i%shapes), priority(10)))
		}
	}
	if w.top = rapid.IntRange(0, 2).Draw(t, "tree") == 0; w.top {
		w.key = rapid.SampledFrom(keys).Draw(t, "top key")
		members("c0", under("top"))
		members("c1", under("top"))
		return w, root(engine.KindComposite, "top")
	}
	members("g")
	return w, root(engine.KindPodGroup, "g")
}

// TestNobodyIsEvictedInVain draws clusters too large for an oracle. Without the victims the root is placed, with any unit
// of them back it is not (or fewer of it are, where all count); where nobody is evicted, not even everybody's eviction
// would help. Nobody is evicted whose priority is not lower, and no unit in part.
func TestNobodyIsEvictedInVain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, r := drawTown(t)
		e := w.tell(nil)
		if d := e.Solve(r); d.Outcome != engine.Unschedulable {
			return
		}
		p := e.Preempt(r)
		if err := e.Check(); err != nil {
			t.Fatal(err)
		}
		all := map[string]bool{}
		for name, q := range w.running {
			all[name] = *q.Spec.Priority < 10
		}
		if p.Kind != engine.Evict {
			if d := w.tell(all).Solve(r); d.Outcome == engine.Placed && p.Why != "the quorum stands, and nobody is evicted for members beyond it" {
				t.Fatalf("%s (%s), but without those of lower priority %d are placed", p.Kind, p.Why, len(d.Placements))
			}
			return
		}
		gone := map[string]bool{}
		units := map[string][]string{}
		for _, v := range p.Victims {
			gone[v.Name] = true
			unit := v.Name
			if g := w.running[v.Name].Spec.SchedulingGroup; g != nil {
				unit = *g.PodGroupName
			}
			units[unit] = append(units[unit], v.Name)
			if !all[v.Name] {
				t.Fatalf("pod %s is evicted at priority %d", v.Name, *w.running[v.Name].Spec.Priority)
			}
		}
		for name, q := range w.running {
			if g := q.Spec.SchedulingGroup; g != nil && units[*g.PodGroupName] != nil && !gone[name] {
				t.Fatalf("pod %s stays, but %v of its group go", name, units[*g.PodGroupName])
			}
		}
		placed := w.tell(gone).Solve(r)
		if placed.Outcome != engine.Placed || len(placed.Placements) < len(p.Placements) {
			t.Fatalf("without %s: %s, %d placements (%s), planned %d", victims(p), placed.Outcome, len(placed.Placements), placed.Reason, len(p.Placements))
		}
		for _, unit := range slices.Sorted(maps.Keys(units)) {
			for _, name := range units[unit] {
				delete(gone, name)
			}
			if d := w.tell(gone).Solve(r); d.Outcome == engine.Placed && len(d.Placements) >= len(placed.Placements) {
				t.Fatalf("%s need not go: with it %d are placed (victims %s, cost %+v)", unit, len(d.Placements), victims(p), p.Cost)
			}
			for _, name := range units[unit] {
				gone[name] = true
			}
		}
	})
}

// TestWaysAgree lets the ways to choose victims compete where more than one applies: those that claim to be exact agree in
// cost, and none is cheaper.
func TestWaysAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, r := drawTown(t)
		w.budgets = -1
		e := w.tell(nil)
		if d := e.Solve(r); d.Outcome != engine.Unschedulable {
			return
		}
		exact, sure := e.PreemptBy("exact", r)
		spread, same := e.PreemptBy("spread", r)
		greedy, _ := e.PreemptBy("greedy", r)
		if err := e.Check(); err != nil {
			t.Fatal(err)
		}
		if sure && same && (exact.Cost.Less(spread.Cost) || spread.Cost.Less(exact.Cost)) {
			t.Fatalf("exact %s (%+v), spread %s (%+v)", victims(exact), exact.Cost, victims(spread), spread.Cost)
		}
		if sure && greedy.Kind == engine.Evict && greedy.Cost.Less(exact.Cost) {
			t.Fatalf("exact %s (%+v), greedy %s (%+v)", victims(exact), exact.Cost, victims(greedy), greedy.Cost)
		}
		if same && greedy.Kind == engine.Evict && greedy.Cost.Less(spread.Cost) {
			t.Fatalf("spread %s (%+v), greedy %s (%+v)", victims(spread), spread.Cost, victims(greedy), greedy.Cost)
		}
		if best := e.Preempt(r); sure && exact.Kind == engine.Evict && exact.Cost.Less(best.Cost) {
			t.Fatalf("exact %s (%+v), chosen %s (%+v)", victims(exact), exact.Cost, victims(best), best.Cost)
		}
	})
}
