package engine_test

import (
	"fmt"
	"slices"
	"testing"

	resourceapi "k8s.io/api/resource/v1"

	"muster/scheduler/engine"
)

// holders runs a gang of low priority whose two pods hold the two devices of the only node; shared devices are reserved
// for the gang.
func holders(e *engine.Engine, byGroup bool) map[string]*resourceapi.ResourceClaim {
	claims := map[string]*resourceapi.ResourceClaim{}
	g := gang("low", 2)
	if byGroup {
		sharing("shared")(g)
		claims["shared"] = rclaim("shared", "", ask("a", 2))
		e.UpsertResourceClaim(claims["shared"])
	}
	e.UpsertGroup(g)
	for i := range 2 {
		name := fmt.Sprint("low-", i)
		if byGroup {
			e.UpsertPod(pod(name, "low", 1, 0, using("shared")))
			continue
		}
		claims[name] = rclaim(name, "", ask("a", 1))
		e.UpsertResourceClaim(claims[name])
		e.UpsertPod(pod(name, "low", 1, 0, using(name)))
	}
	return claims
}

// wanter is a pod of high priority that asks for a device.
func wanter(e *engine.Engine) engine.Root {
	e.UpsertResourceClaim(rclaim("high", "", ask("a", 1)))
	e.UpsertPod(pod("high", "", 1, 0, using("high"), priority(100)))
	return root(engine.KindPod, "high")
}

// TestVictimsGiveDevicesUp: one of two holders goes; and when it is gone, nobody more, although the control plane has not
// freed its device yet.
func TestVictimsGiveDevicesUp(t *testing.T) {
	e := deviceCluster(1, 2)
	claims := holders(e, false)
	expectAndWrite(t, e, "low", claims)
	r := wanter(e)
	if d := e.Solve(r); d.Outcome != engine.Unschedulable {
		t.Fatalf("%s", d.Outcome)
	}
	p := e.Preempt(r)
	if p.Kind != engine.Evict || len(p.Victims) != 1 {
		t.Fatalf("%s %v (%s)", p.Kind, p.Victims, p.Why)
	}
	e.Nominate(p)
	gone := p.Victims[0].Name
	e.DeletePod(engine.Key{Namespace: ns, Name: gone})
	if d := e.Solve(r); d.Outcome != engine.Unschedulable {
		t.Fatalf("%s with a device that is still allocated", d.Outcome)
	}
	if p := e.Preempt(r); p.Kind != engine.Wait || len(p.Victims) > 0 {
		t.Errorf("%s %v (%s)", p.Kind, p.Victims, p.Why)
	}
	e.Woken()
	c := claims[gone].DeepCopy()
	c.Status = resourceapi.ResourceClaimStatus{}
	e.UpsertResourceClaim(c)
	if !slices.Contains(e.Woken(), r) {
		t.Error("not woken when the device is free")
	}
	if d := e.Solve(r); d.Outcome != engine.Placed {
		t.Errorf("%s (%s)", d.Outcome, d.Reason)
	}
	if err := e.Check(); err != nil {
		t.Error(err)
	}
}

// TestDevicesOfAGroupStay: what is reserved for a PodGroup is not freed by its pods, so that they are not evicted for it.
func TestDevicesOfAGroupStay(t *testing.T) {
	e := deviceCluster(1, 2)
	expectAndWrite(t, e, "low", holders(e, true))
	r := wanter(e)
	if p := e.Preempt(r); p.Kind != engine.NoPlan {
		t.Errorf("%s %v", p.Kind, p.Victims)
	}
	if err := e.Check(); err != nil {
		t.Error(err)
	}
}
