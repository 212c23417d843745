package engine_test

import (
	"slices"
	"testing"

	"muster/scheduler/engine"
)

// TestRoomIsKept follows a nomination: it keeps the room against equals, yields to a higher priority, and is given up.
func TestRoomIsKept(t *testing.T) {
	e := engine.New(engine.Options{})
	e.UpsertNode(node("a", 4, 0))
	running(e, "", 0, "a", 4)
	r := attacker(e, 2, 2, 2)
	p := e.Preempt(r)
	e.Nominate(p)
	e.Woken()
	single := func(name string, prio int32) engine.Decision {
		e.UpsertPod(pod(name, "", 1, 0, priority(prio)))
		return e.Solve(root(engine.KindPod, name))
	}
	check := func(when string) {
		t.Helper()
		if err := e.Check(); err != nil {
			t.Fatalf("%s: %v", when, err)
		}
	}
	e.DeletePod(engine.Key{Namespace: ns, Name: "a0"})
	check("one victim has ended")
	if d := single("equal", 100); d.Outcome != engine.Unschedulable {
		t.Errorf("an equal is %s", d.Outcome)
	}
	if again := e.Preempt(r); again.Kind != engine.Wait || !again.Kept || victims(again) != "-" {
		t.Errorf("while they end: %s of %s", again.Kind, victims(again))
	}
	d := single("higher", 101)
	if d.Outcome != engine.Placed {
		t.Fatalf("a higher priority is %s: %s", d.Outcome, d.Reason)
	}
	e.Assume(d.Placements)
	check("the room is taken")
	if !slices.Contains(e.Woken(), r) {
		t.Error("whose room was taken is not woken")
	}
	if again := e.Preempt(r); again.Kind != engine.NoPlan {
		t.Errorf("with the room taken: %s of %s", again.Kind, victims(again))
	}
	e.Renounce(r)
	check("given up")
	for _, name := range []string{"a1", "a2", "a3"} {
		e.DeletePod(engine.Key{Namespace: ns, Name: name})
	}
	if d := e.Solve(root(engine.KindPod, "equal")); d.Outcome != engine.Placed {
		t.Errorf("once it was given up an equal is %s", d.Outcome)
	}
}

// TestSpared: a victim that was not evicted is counted on no more, and its root is asked about again.
func TestSpared(t *testing.T) {
	e := engine.New(engine.Options{})
	e.UpsertNode(node("a", 1, 0))
	running(e, "", 0, "a", 1)
	r := attacker(e, 1, 1, 1)
	p := e.Preempt(r)
	e.Nominate(p)
	e.Woken()
	e.Spare(p.Victims[0])
	if !slices.Contains(e.Woken(), r) {
		t.Error("not woken")
	}
	if again := e.Preempt(r); again.Kind != engine.Evict || victims(again) != "a0" {
		t.Errorf("%s of %s", again.Kind, victims(again))
	}
}

// TestPreemptForAll also evicts for members beyond the quorum.
func TestPreemptForAll(t *testing.T) {
	e := engine.New(engine.Options{PreemptForAll: true})
	e.UpsertNode(node("a", 4, 0))
	running(e, "", 0, "a", 4)
	if p := e.Preempt(attacker(e, 1, 3, 1)); victims(p) != "a1 a2 a3" {
		t.Errorf("%s of %s", p.Kind, victims(p))
	}
}
