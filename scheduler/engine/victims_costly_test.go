package engine_test

import (
	"fmt"
	"testing"

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
