package engine_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
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
				w := &world{e: engine.New(engine.Options{Seed: rapid.Uint64().Draw(t, "seed"), TableCells: rapid.IntRange(0, 1).Draw(t, "cells")}), rules: rules,
					nodes: map[string]*corev1.Node{}, pods: map[string]*corev1.Pod{}, groups: map[string]*schedulingv1beta1.PodGroup{}, tops: map[string]*schedulingv1alpha3.CompositePodGroup{}}
				for range 3 {
					w.addNode(t)
				}
				w.toggleTop(t)
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
	switch kind := rapid.SampledFrom([]string{"gang", "gang", "lone", "delete pod", "delete pod", "finish", "add node", "delete node", "relabel", "quorum", "late", "delete group", "composite", "composite", "restart", "forget"}).Draw(t, "event"); kind {
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
	case "composite":
		w.toggleTop(t)
	case "restart":
		w.e = w.fresh()
	case "forget":
		w.e.DropTables()
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
			d := w.solve(t, r)
			w.e.Assume(d.Placements)
			lose := round == 0 && len(d.Placements) > 0 && rapid.IntRange(0, 9).Draw(t, "lose") == 0
			for i, pl := range d.Placements {
				if lose && i == 0 {
					w.excuseGroupOf(w.pods[pl.Pod.Name])
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

// solve asks, now and then without liking some nodes, which must never cost a pod its place.
func (w *world) solve(t *rapid.T, r engine.Root) engine.Decision {
	avoid := slices.Sorted(maps.Keys(w.nodes))
	avoid = avoid[:max(0, rapid.IntRange(-len(avoid), len(avoid)).Draw(t, "avoided"))]
	d, plain := w.e.SolveAvoiding(r, avoid), w.e.Solve(r)
	if d.Outcome != plain.Outcome || len(d.Placements) < len(plain.Placements) {
		t.Fatalf("%s without %v: %s, %d placed; %s, %d with them", r, avoid, d.Outcome, len(d.Placements), plain.Outcome, len(plain.Placements))
	}
	return d
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
		w.checkRefused(t, r, d)
		sameByTables(t, fresh, r)
	}
	for _, name := range slices.Sorted(maps.Keys(w.groups)) {
		w.checkPlaced(t, w.groups[name])
	}
}

// checkPlaced: a gang that never met its quorum is not bound in part, and a constrained group stands in one domain.
func (w *world) checkPlaced(t *rapid.T, g *schedulingv1beta1.PodGroup) {
	bound, _ := w.members(g.Name)
	if gang := g.Spec.SchedulingPolicy.Gang; gang != nil && len(g.Status.Conditions)+len(g.Annotations) == 0 && len(bound) > 0 && len(bound) < int(gang.MinCount) {
		t.Fatalf("gang %s is bound with %d of %d and has never met its quorum", g.Name, len(bound), gang.MinCount)
	}
	w.domain(t, g, bound)
}

// domain is where the bound members of a constrained group stand.
func (w *world) domain(t *rapid.T, g *schedulingv1beta1.PodGroup, bound []*corev1.Pod) (key, domain string) {
	if g.Spec.SchedulingConstraints == nil {
		return "", ""
	}
	for _, p := range bound {
		if n := w.nodes[p.Spec.NodeName]; n != nil {
			if domain != "" && domain != n.Labels[zone] {
				t.Fatalf("%s stands in %s and %s", g.Name, domain, n.Labels[zone])
			}
			domain = n.Labels[zone]
		}
	}
	return zone, domain
}

// members of a group, or the lone pod of that name.
func (w *world) members(name string) (bound, waiting []*corev1.Pod) {
	for _, k := range slices.Sorted(maps.Keys(w.pods)) {
		p := w.pods[k]
		of := p.Name
		if p.Spec.SchedulingGroup != nil {
			of = *p.Spec.SchedulingGroup.PodGroupName
		}
		if of == name && p.Spec.NodeName != "" {
			bound = append(bound, p)
		} else if of == name {
			waiting = append(waiting, p)
		}
	}
	return bound, waiting
}

// checkRefused asks the oracle about a lone pod or a PodGroup without parent that is said not to fit.
func (w *world) checkRefused(t *rapid.T, r engine.Root, d engine.Decision) {
	if d.Outcome != engine.Unschedulable || r.Kind == engine.KindComposite {
		return
	}
	bound, waiting := w.members(r.Name)
	need := 1
	q := oracle.Question{Pods: waiting}
	if r.Kind == engine.KindPodGroup {
		g := w.groups[r.Name]
		if gang := g.Spec.SchedulingPolicy.Gang; gang != nil && len(g.Status.Conditions) == 0 {
			need = max(1, int(gang.MinCount)-alive(bound))
		} else if gang != nil {
			need = max(1, int(gang.MinCount)-len(bound))
		}
		q.TopologyKey, q.Domain = w.domain(t, g, bound)
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
