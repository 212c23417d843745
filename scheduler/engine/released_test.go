package engine_test

import (
	"slices"
	"testing"

	"muster/scheduler/engine"
)

// outbid has a node of two cores and two devices on which two pods run with a claim each, and a basic group of two of
// higher priority, for which both are evicted and end. Their claims are still held.
func outbid(t *testing.T) (*engine.Engine, engine.Root) {
	t.Helper()
	e := engine.New(engine.Options{})
	addClasses(e)
	e.UpsertNode(node("n0", 2, 0))
	e.UpsertResourceSlice(slice("pool-n0", "n0", devs(2, "a")...))
	expectAndWrite(t, e, "low", gangOf(e, "low", "a", 2, 1))
	r, _ := highGangOf(e, 2, 1)
	e.UpsertGroup(gang("high", 0, groupPriority(100)))
	if d := e.Solve(r); d.Outcome != engine.Unschedulable {
		t.Fatalf("%s", d.Outcome)
	}
	p := e.Preempt(r)
	if p.Kind != engine.Evict || victims(p) != "low-0 low-1" || len(p.Placements) != 2 {
		t.Fatalf("%s of %s, nominated %v", p.Kind, victims(p), p.Placements)
	}
	e.Nominate(p)
	for _, v := range p.Victims {
		e.DeletePod(v.Key)
	}
	again(t, e, r)
	return e, r
}

// again does what the control loop does with a root that is woken and not placed.
func again(t *testing.T, e *engine.Engine, r engine.Root) {
	t.Helper()
	e.Woken()
	if d := e.Solve(r); d.Outcome != engine.Unschedulable {
		t.Fatalf("%s on devices that are held", d.Outcome)
	}
	p := e.Preempt(r)
	if p.Kind != engine.Wait {
		t.Fatalf("%s of %s", p.Kind, victims(p))
	}
	e.Nominate(p)
}

// TestReleasedWhereNoCoresAreLeft: the nodes that get devices back seem full, of the seats that are kept for the root; it is
// woken all the same. (Found by TestPreemptionHistories, rapid seed 13356134727891167891: it waited for ever.)
func TestReleasedWhereNoCoresAreLeft(t *testing.T) {
	e, r := outbid(t)
	for _, claim := range []string{"low-claim-0", "low-claim-1"} {
		e.Woken()
		e.DeleteResourceClaim(engine.Key{Namespace: ns, Name: claim})
		if !slices.Contains(e.Woken(), r) {
			t.Fatalf("not woken when %s was released", claim)
		}
	}
	if d := e.Solve(r); d.Outcome != engine.Placed || len(d.Placements) != 2 {
		t.Fatalf("%s with %d (%s)", d.Outcome, len(d.Placements), d.Reason)
	}
}

// TestNominatedPodThatGoes: the root goes on waiting with one seat less, and is not woken by its own plans. (Found by
// TestPreemptionHistories, rapid seed 38027050168286569: it was planned for again and again.)
func TestNominatedPodThatGoes(t *testing.T) {
	e, r := outbid(t)
	e.DeletePod(engine.Key{Namespace: ns, Name: "high-1"})
	for range 3 {
		again(t, e, r)
	}
	if woken := e.Woken(); len(woken) > 0 {
		t.Fatalf("%v is woken by what was planned for it", woken)
	}
}
