package engine_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"muster/scheduler/engine"
)

// TestManyPrioritiesBeyondABudget: of choices that go beyond a budget equally far the one of lower priorities is taken, however many
// priorities there are.
func TestManyPrioritiesBeyondABudget(t *testing.T) {
	for _, levels := range []int{3, 20} {
		e := engine.New(engine.Options{})
		budgeted(e, 0)
		e.UpsertNode(node("a", 4, 0))
		e.UpsertPod(pod("a0", "", 4, 0, bind("a"), priority(50), labelled("web")))
		e.UpsertNode(node("b", 4, 0))
		e.UpsertPod(pod("b0", "", 2, 0, bind("b"), priority(1), labelled("web")))
		e.UpsertPod(pod("b1", "", 2, 0, bind("b"), priority(1)))
		for i := range 20 { // nodes that others keep, so that there are too many choices to try them all
			name := fmt.Sprint("n", i)
			e.UpsertNode(node(name, 4, 0))
			e.UpsertPod(pod(name+"-low", "", 1, 0, bind(name), priority(int32(2+i%levels))))
			e.UpsertPod(pod(name+"-high", "", 1, 0, bind(name), priority(100)))
		}
		if p := e.Preempt(attacker(e, 1, 1, 4)); victims(p) != "b0 b1" {
			t.Errorf("%d priorities: %s of %s at %+v, want b0 b1", levels, p.Kind, victims(p), p.Cost)
		}
	}
}

// TestThousandsBeyondABudget: so many violations that a price with a fixed place for them would be too large a number. One rack would
// have 4,500 of them, the other one 100.
func TestThousandsBeyondABudget(t *testing.T) {
	e := engine.New(engine.Options{})
	budgeted(e, 0)
	const nodes, each = 45, 100
	for i := range nodes {
		for _, r := range []string{"r1", "r2"} {
			name, app := fmt.Sprint(r, "-", i, "-"), "web"
			if r == "r2" && i > 0 {
				app = "other"
			}
			e.UpsertNode(node(name, each, 0, rack, r))
			running(e, "", 0, name, each, labelled(app))
		}
	}
	p := e.Preempt(attacker(e, nodes, nodes, each, inOne(rack)))
	if p.Kind != engine.Evict || p.Cost.Violations != each || p.Cost.Pods != nodes*each {
		t.Errorf("%s (%s) at %+v, want %d violations with %d pods", p.Kind, p.Why, p.Cost, each, nodes*each)
	}
}

// TestNobodyWaitsForABystander: a pod that never ends keeps nobody waiting who does not need its room.
func TestNobodyWaitsForABystander(t *testing.T) {
	for name, tc := range map[string]struct {
		cores int64 // of the pod that never ends, on a node of 4
		waits bool
	}{"beside": {1, false}, "in the way": {2, true}} {
		t.Run(name, func(t *testing.T) {
			e := engine.New(engine.Options{})
			e.UpsertNode(node("a", 4, 0))
			e.UpsertPod(pod("stuck", "", tc.cores, 0, bind("a"), deleted))
			e.UpsertPod(pod("victim", "", 2, 0, bind("a")))
			r := attacker(e, 1, 1, 3)
			p := e.Preempt(r)
			if victims(p) != "victim" {
				t.Fatalf("%s of %s (%s)", p.Kind, victims(p), p.Why)
			}
			e.Nominate(p)
			e.Woken()
			e.DeletePod(engine.Key{Namespace: ns, Name: "victim"})
			if woken := e.Woken(); len(woken) == 0 != tc.waits {
				t.Errorf("woken when the victim is gone: %v", woken)
			}
			if d := e.Solve(r); (d.Outcome == engine.Placed) == tc.waits {
				t.Errorf("%s when the victim is gone: %s", d.Outcome, d.Reason)
			}
			if p := e.Preempt(r); tc.waits && (p.Kind != engine.Wait || !p.Kept) {
				t.Errorf("%s of %s while the other one ends", p.Kind, victims(p))
			}
			e.DeletePod(engine.Key{Namespace: ns, Name: "stuck"})
			if woken := e.Woken(); len(woken) == 0 {
				t.Error("not woken when the other one is gone, too")
			}
			if err := e.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestBystandersOfRulesAreSpared: a gang must not stand beside pods of an app, of which there are many elsewhere, where it would
// not go; or many elsewhere hold devices, for which it does not ask. Only those go that are in its way. (Found by a whole run of
// the suites on a shared cluster: each bystander was tried by itself, and the tries ran out.)
func TestBystandersOfRulesAreSpared(t *testing.T) {
	const each = 25
	for name, tc := range map[string]struct {
		members, elsewhere int
		devices            bool
	}{"one among many": {1, 60, false}, "one among holders": {1, 60, true}, "some among many": {30, 80, false}, "more than there are tries": {400, 400, false}} {
		t.Run(name, func(t *testing.T) {
			e := deviceCluster(0, 0)
			w := &ward{e: e}
			for i := range tc.elsewhere {
				n := fmt.Sprint("n", i)
				w.sites = append(w.sites, wardSite{name: n})
				e.UpsertNode(node(n, each, 0))
				for j := range each {
					app := "web"
					var edit []func(*corev1.Pod)
					if tc.devices {
						app = "other"
						edit = append(edit, using(w.hold(i, [2]int{1, j}, fmt.Sprint(n, "-", j))))
					}
					e.UpsertPod(pod(fmt.Sprint(n, "-", j), "", 1, 0, append(edit, bind(n), labelled(app))...))
				}
			}
			want := ""
			for i := range tc.members {
				n := fmt.Sprintf("big%03d", i)
				e.UpsertNode(node(n, 100, 0))
				e.UpsertPod(pod("shunned-"+n, "", 1, 0, bind(n), labelled("web")))
				want = strings.TrimSpace(want + " shunned-" + n)
			}
			e.UpsertGroup(gang("high", int32(tc.members), groupPriority(100)))
			for i := range tc.members {
				e.UpsertPod(pod(fmt.Sprint("high-", i), "high", 70, 0, priority(100), labelled("high"), against(corev1.LabelHostname, "web")))
			}
			p := e.Preempt(root(engine.KindPodGroup, "high"))
			if got := victims(p); got != want || len(p.Placements) != tc.members {
				t.Errorf("%s of %d (%s), nominated %d", p.Kind, len(p.Victims), p.Why, len(p.Placements))
			}
			if err := e.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}
