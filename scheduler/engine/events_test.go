package engine_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"muster/scheduler/engine"
	"muster/suites/oracle"
)

// TestEvents tells random histories and holds, after each event and with every wake-up followed: nothing is
// overcommitted, no gang that never met its quorum is bound in part, constrained groups stand in one domain, nothing
// pending fits, what is kept incrementally is right, and an engine told the present state alone gives the same answers.
func TestEvents(t *testing.T) {
	for _, rules := range []bool{false, true} {
		t.Run(fmt.Sprintf("rules=%v", rules), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				w := &world{e: engine.New(engine.Options{Seed: rapid.Uint64().Draw(t, "seed")}), rules: rules,
					nodes: map[string]*corev1.Node{}, pods: map[string]*corev1.Pod{}, groups: map[string]*schedulingv1beta1.PodGroup{}}
				for range 3 {
					w.addNode(t)
				}
				for range rapid.IntRange(1, 25).Draw(t, "events") {
					w.event(t)
					w.settle(t)
					w.check(t)
				}
			})
		})
	}
}

func (w *world) event(t *rapid.T) {
	pick := func(names []string) string {
		slices.Sort(names)
		return rapid.SampledFrom(names).Draw(t, "name")
	}
	pods := slices.Collect(maps.Keys(w.pods))
	nodes := slices.Collect(maps.Keys(w.nodes))
	switch kind := rapid.SampledFrom([]string{"gang", "gang", "lone", "delete pod", "delete pod", "finish", "add node", "delete node", "relabel", "quorum", "late", "delete group", "restart"}).Draw(t, "event"); kind {
	case "gang":
		w.addGang(t)
	case "lone":
		w.addPod(t, "", drawSmall(t, w.rules))
	case "delete pod", "finish":
		if len(pods) == 0 {
			return
		}
		p := w.pods[pick(pods)]
		if kind == "delete pod" {
			w.remove(p)
		} else if p.Spec.NodeName != "" {
			p.Status.Phase = corev1.PodSucceeded
			w.e.UpsertPod(p)
		}
	case "add node":
		w.addNode(t)
	case "delete node":
		if len(nodes) > 1 {
			n := pick(nodes)
			delete(w.nodes, n)
			w.e.DeleteNode(n)
			for _, p := range w.on(n) { // as the garbage collector does
				w.remove(p)
			}
		}
	case "relabel": // a node that is empty
		n := w.nodes[pick(nodes)]
		if len(w.on(n.Name)) == 0 {
			n = n.DeepCopy()
			n.Labels[zone] = rapid.SampledFrom([]string{"a", "b"}).Draw(t, "zone")
			w.nodes[n.Name] = n
			w.e.UpsertNode(n)
		}
	case "quorum", "late", "delete group":
		names := slices.Collect(maps.Keys(w.groups))
		if len(names) == 0 {
			return
		}
		g := w.groups[pick(names)]
		switch {
		case kind == "late":
			w.addPod(t, g.Name, drawSmall(t, w.rules))
		case kind == "delete group":
			delete(w.groups, g.Name)
			w.e.DeleteGroup(engine.Key{Namespace: ns, Name: g.Name})
		case g.Spec.SchedulingPolicy.Gang != nil:
			excuse(g)
			g.Spec.SchedulingPolicy.Gang.MinCount = int32(rapid.IntRange(1, 5).Draw(t, "min"))
			w.e.UpsertGroup(g)
		}
	case "restart":
		w.e = w.fresh()
	}
}

// settle does what the control loop does: solve who is woken, bind; some binds fail at first.
func (w *world) settle(t *rapid.T) {
	for round := 0; ; round++ {
		woken := w.e.Woken()
		if len(woken) == 0 {
			return
		}
		if round > 50 {
			t.Fatalf("no rest after %d rounds: %v is woken again and again", round, woken)
		}
		for _, r := range woken {
			d := w.e.Solve(r)
			w.e.Assume(d.Placements)
			lose := round == 0 && len(d.Placements) > 0 && rapid.IntRange(0, 9).Draw(t, "lose") == 0
			for i, pl := range d.Placements {
				if lose && i == 0 {
					if len(d.Groups) > 0 {
						excuse(w.groups[d.Groups[0].Name])
					}
					w.e.Forget(pl.Pod)
					continue
				}
				p := w.pods[pl.Pod.Name]
				p.Spec.NodeName = pl.Node
				w.e.UpsertPod(p)
			}
			for _, res := range d.Groups {
				if g := w.groups[res.Name]; g != nil && res.Satisfied && !lose {
					g.Status.Conditions = []metav1.Condition{{Type: schedulingv1beta1.PodGroupInitiallyScheduled, Status: metav1.ConditionTrue}}
					w.e.UpsertGroup(g)
				}
			}
		}
	}
}

func (w *world) check(t *rapid.T) {
	if err := w.e.Check(); err != nil {
		t.Fatal(err)
	}
	for name, n := range w.nodes {
		pods := w.on(name)
		for _, p := range pods {
			if p.Status.Phase != corev1.PodSucceeded {
				if x := oracle.Excess(oracle.NodeOf(n, pods...), p); len(x) > 0 {
					t.Fatalf("node %s: %v", name, x)
				}
			}
		}
	}
	fresh := w.fresh()
	if err := fresh.Check(); err != nil {
		t.Fatalf("told anew: %v", err)
	}
	roots := map[engine.Root]bool{}
	for _, p := range w.pods {
		if r, ok := w.e.Lookup(engine.Key{Namespace: ns, Name: p.Name}); ok {
			roots[r] = true
		}
	}
	for r := range roots {
		d := w.e.Solve(r)
		if len(d.Placements) > 0 {
			t.Fatalf("%s was not woken, but %d pods can be placed", r, len(d.Placements))
		}
		if f := fresh.Solve(r); f.Outcome != d.Outcome || f.Reason.Code != d.Reason.Code || len(f.Placements) != 0 {
			t.Fatalf("%s: %s (%s) with %d placements told anew, %s (%s) told in turn", r, f.Outcome, f.Reason, len(f.Placements), d.Outcome, d.Reason)
		}
		w.checkGroup(t, r, d)
	}
}

// checkGroup holds one root against the rules and, if it waits, against the oracle.
func (w *world) checkGroup(t *rapid.T, r engine.Root, d engine.Decision) {
	var waiting, bound []*corev1.Pod
	for _, name := range slices.Sorted(maps.Keys(w.pods)) {
		p := w.pods[name]
		if of, _ := w.e.Lookup(engine.Key{Namespace: ns, Name: name}); of != r {
			continue
		}
		if p.Spec.NodeName != "" {
			bound = append(bound, p)
		} else {
			waiting = append(waiting, p)
		}
	}
	need := 1
	q := oracle.Question{Pods: waiting}
	if r.Kind == engine.KindPodGroup {
		g := w.groups[r.Name]
		if g == nil {
			return
		}
		met := len(g.Status.Conditions) > 0
		if gang := g.Spec.SchedulingPolicy.Gang; gang != nil && !met {
			if len(bound) > 0 && len(bound) < int(gang.MinCount) && len(g.Annotations) == 0 {
				t.Fatalf("gang %s is bound with %d of %d and has never met its quorum", g.Name, len(bound), gang.MinCount)
			}
			need = max(1, int(gang.MinCount)-alive(bound))
		} else if gang != nil {
			need = max(1, int(gang.MinCount)-len(bound))
		}
		if c := g.Spec.SchedulingConstraints; c != nil {
			q.TopologyKey = zone
			for _, p := range bound {
				if n := w.nodes[p.Spec.NodeName]; n != nil {
					if q.Domain != "" && q.Domain != n.Labels[zone] {
						t.Fatalf("%s stands in %s and %s", r, q.Domain, n.Labels[zone])
					}
					q.Domain = n.Labels[zone]
				}
			}
		}
	}
	if d.Outcome != engine.Unschedulable && d.Outcome != engine.Placed {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(w.nodes)) {
		q.Nodes = append(q.Nodes, oracle.NodeOf(w.nodes[name], w.on(name)...))
	}
	fits, err := q.Feasible(need)
	if err != nil && !errors.Is(err, oracle.ErrTooBig) {
		t.Fatalf("asking the oracle: %v", err)
	}
	if fits {
		t.Fatalf("%s waits (%s), but the oracle places %d of its %d pods", r, d.Reason, need, len(waiting))
	}
}

func alive(pods []*corev1.Pod) int {
	n := 0
	for _, p := range pods {
		if p.Status.Phase != corev1.PodSucceeded {
			n++
		}
	}
	return n
}
