package engine_test

import (
	"fmt"
	"slices"
	"testing"

	resourceapi "k8s.io/api/resource/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/engine"
)

// highGangOf is gangOf at priority 100.
func highGangOf(e *engine.Engine, n int, k int64, edit ...func(*schedulingv1beta1.PodGroup)) (engine.Root, map[string]*resourceapi.ResourceClaim) {
	claims := map[string]*resourceapi.ResourceClaim{}
	e.UpsertGroup(gang("high", int32(n), append(edit, groupPriority(100))...))
	for i := range n {
		name, c := fmt.Sprint("high-", i), fmt.Sprint("high-claim-", i)
		claims[c] = rclaim(c, name, ask("a", k))
		e.UpsertPod(pod(name, "high", 1, 0, fromTemplate(c), priority(100)))
		e.UpsertResourceClaim(claims[c])
	}
	return root(engine.KindPodGroup, "high"), claims
}

// TestPreemptionFreesDevices: two nodes of four devices, all held by pods of low priority, one each. As many are evicted
// as hold what is needed; until their claims are released nobody else is, and then the gang has its devices.
func TestPreemptionFreesDevices(t *testing.T) {
	e := deviceCluster(2, 4)
	low := gangOf(e, "low", "a", 8, 1)
	expectAndWrite(t, e, "low", low)
	r, claims := highGangOf(e, 2, 2)
	if d := e.Solve(r); d.Outcome != engine.Unschedulable {
		t.Fatalf("%s", d.Outcome)
	}
	e.Woken()
	p := e.Preempt(r)
	if err := e.Check(); err != nil {
		t.Fatal(err)
	}
	if p.Kind != engine.Evict || len(p.Victims) != 4 || len(p.Placements) != 2 {
		t.Fatalf("%s of %s (%s), nominated %v", p.Kind, victims(p), p.Why, p.Placements)
	}
	e.Nominate(p)
	for _, v := range p.Victims {
		e.DeletePod(v.Key)
	}
	if !slices.Contains(e.Woken(), r) {
		t.Error("not woken when the victims had ended")
	}
	if d := e.Solve(r); d.Outcome != engine.Unschedulable {
		t.Fatalf("placed on devices of claims that are not released: %s", d.Outcome)
	}
	if again := e.Preempt(r); again.Kind != engine.Wait || !again.Kept {
		t.Fatalf("while claims are being released: %s of %s", again.Kind, victims(again))
	}
	e.Woken()
	for _, v := range p.Victims {
		for name, c := range low {
			if c.OwnerReferences[0].Name == v.Name {
				e.DeleteResourceClaim(engine.Key{Namespace: ns, Name: name})
			}
		}
	}
	if !slices.Contains(e.Woken(), r) {
		t.Error("not woken when the claims were released")
	}
	d := e.Solve(r)
	if d.Outcome != engine.Placed {
		t.Fatalf("%s (%s)", d.Outcome, d.Reason)
	}
	write(e, claims, d)
	if err := e.Check(); err != nil {
		t.Fatal(err)
	}
}

// TestDevicesAreKept: while the claims of victims are released one after the other, a pod of lower priority that waits gets
// none of their devices, nor is anybody evicted for it; one of higher priority does. (Seen in a real cluster: who waited took
// what was freed, and the gang evicted others, wave after wave.)
func TestDevicesAreKept(t *testing.T) {
	for _, taken := range []bool{false, true} {
		t.Run(fmt.Sprintf("taken=%v", taken), func(t *testing.T) {
			e := deviceCluster(2, 4)
			low := gangOf(e, "low", "a", 8, 1)
			expectAndWrite(t, e, "low", low)
			r, claims := highGangOf(e, 2, 2)
			p := e.Preempt(r)
			e.Nominate(p)
			other := func(name string, prio int32) engine.Root {
				e.UpsertResourceClaim(rclaim(name, "", ask("a", 1)))
				e.UpsertPod(pod(name, "", 1, 0, using(name), priority(prio)))
				return root(engine.KindPod, name)
			}
			lower := other("lower", 50)
			for i, v := range p.Victims {
				e.DeletePod(v.Key)
				for name, c := range low {
					if c.OwnerReferences[0].Name == v.Name {
						e.DeleteResourceClaim(engine.Key{Namespace: ns, Name: name})
					}
				}
				if d := e.Solve(lower); d.Outcome != engine.Unschedulable {
					t.Fatalf("after %d victims have ended who waited is %s", i+1, d.Outcome)
				}
				if again := e.Preempt(r); i < len(p.Victims)-1 && (again.Kind != engine.Wait || !again.Kept) {
					t.Fatalf("after %d victims have ended: %s of %s", i+1, again.Kind, victims(again))
				}
				if err := e.Check(); err != nil {
					t.Fatal(err)
				}
			}
			if taken {
				d := e.Solve(other("higher", 200))
				if d.Outcome != engine.Placed {
					t.Fatalf("a higher priority is %s (%s)", d.Outcome, d.Reason)
				}
				e.Assume(d.Placements)
				if again := e.Preempt(r); again.Kind != engine.Evict || len(again.Victims) != 2 { // on the other node
					t.Fatalf("with a device taken: %s of %s", again.Kind, victims(again))
				}
				e.Renounce(r)
				if d := e.Solve(lower); d.Outcome != engine.Placed {
					t.Errorf("once they are given up who waited is %s (%s)", d.Outcome, d.Reason)
				}
			} else {
				d := e.Solve(r)
				if d.Outcome != engine.Placed {
					t.Fatalf("%s (%s)", d.Outcome, d.Reason)
				}
				write(e, claims, d)
			}
			if err := e.Check(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestPreemptionWithoutDevicesEnough: nobody is evicted where the devices would not do either.
func TestPreemptionWithoutDevicesEnough(t *testing.T) {
	e := deviceCluster(2, 4)
	low := gangOf(e, "low", "a", 8, 1)
	expectAndWrite(t, e, "low", low)
	r, _ := highGangOf(e, 2, 5)
	if p := e.Preempt(r); p.Kind != engine.NoPlan {
		t.Errorf("%s of %s", p.Kind, victims(p))
	}
	if err := e.Check(); err != nil {
		t.Error(err)
	}
}

// TestPreemptionAmongManyHolders: with more units than can be tried in every combination, too, as many go as hold the
// devices that are needed, whatever room they leave otherwise.
func TestPreemptionAmongManyHolders(t *testing.T) {
	e := deviceCluster(4, 8)
	low := gangOf(e, "low", "a", 32, 1)
	expectAndWrite(t, e, "low", low)
	r, _ := highGangOf(e, 2, 3)
	p := e.Preempt(r)
	if p.Kind != engine.Evict || len(p.Victims) != 6 || len(p.Placements) != 2 {
		t.Errorf("%s of %s (%s), nominated %v", p.Kind, victims(p), p.Why, p.Placements)
	}
	if err := e.Check(); err != nil {
		t.Error(err)
	}
}

// TestPreemptionForSeveralShapes: for a gang of two shapes, too, only those go who hold what is needed, although there are
// cores for everybody.
func TestPreemptionForSeveralShapes(t *testing.T) {
	e := deviceCluster(4, 8)
	low := gangOf(e, "low", "a", 32, 1)
	expectAndWrite(t, e, "low", low)
	e.UpsertGroup(gang("high", 2, groupPriority(100)))
	for i := range 2 {
		name, c := fmt.Sprint("high-", i), fmt.Sprint("high-claim-", i)
		e.UpsertPod(pod(name, "high", int64(1+i), 0, fromTemplate(c), priority(100)))
		e.UpsertResourceClaim(rclaim(c, name, ask("a", int64(2+i))))
	}
	p := e.Preempt(root(engine.KindPodGroup, "high"))
	if p.Kind != engine.Evict || len(p.Victims) != 5 || len(p.Placements) != 2 {
		t.Errorf("%s of %s (%s), nominated %v", p.Kind, victims(p), p.Why, p.Placements)
	}
	if err := e.Check(); err != nil {
		t.Error(err)
	}
}

// TestVictimsThatHoldNothingStay: of pods that look alike only the one goes that holds a device. (Found by
// TestVictimsCostTheLeast, rapid seed 9861285341088258328: pods were taken for interchangeable whatever they held.)
func TestVictimsThatHoldNothingStay(t *testing.T) {
	e := deviceCluster(1, 1)
	w := &ward{e: e, sites: []wardSite{{name: "n0"}}}
	e.UpsertPod(pod("holds", "", 1, 0, bind("n0"), using(w.hold(0, [2]int{1, 0}, "holds"))))
	for i := range 3 { // younger, so that they would go first
		e.UpsertPod(pod(fmt.Sprint("idle-", i), "", 1, 0, bind("n0")))
	}
	r, _ := highGangOf(e, 1, 1)
	if p := e.Preempt(r); p.Kind != engine.Evict || victims(p) != "holds" {
		t.Errorf("%s of %s (%s)", p.Kind, victims(p), p.Why)
	}
}
