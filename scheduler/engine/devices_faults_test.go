package engine_test

import (
	"fmt"
	"strings"
	"testing"

	resourceapi "k8s.io/api/resource/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"muster/scheduler/engine"
)

// TestWhatIsWrongIsSaid: a group whose devices cannot be had says why, and others go on.
func TestWhatIsWrongIsSaid(t *testing.T) {
	for _, tc := range []struct {
		name, class string
		spoil       func(e *engine.Engine)
		outcome     engine.Outcome
		code        engine.Code
		says        string
	}{
		{name: "no such class", class: "gone", outcome: engine.Unschedulable, code: engine.DeviceClassMissing, says: "DeviceClass gone does not exist"},
		{name: "expression that cannot be compiled", class: "bad", spoil: func(e *engine.Engine) { e.UpsertDeviceClass(class("bad", "device.nonsense")) },
			outcome: engine.Unschedulable, code: engine.DeviceFault, says: "DeviceClass bad: selector 0 cannot be compiled"},
		{name: "expression that fails", class: "bad", spoil: func(e *engine.Engine) {
			e.UpsertDeviceClass(class("bad", `device.attributes["other.example.com"].colour == "red"`))
		}, outcome: engine.Unschedulable, code: engine.NoRoom, says: "fails on device"},
		{name: "half a pool", class: "b", spoil: func(e *engine.Engine) {
			s := slice("torn", "n0", devs(2, "b")...)
			s.Spec.Pool.ResourceSliceCount = 2
			e.UpsertResourceSlice(s)
		}, outcome: engine.Unschedulable, code: engine.NoRoom, says: "pool gpu.example.com/torn: 1 of its 2 ResourceSlices are there"},
		{name: "counters that do not add up", class: "whole", spoil: func(e *engine.Engine) {
			for _, s := range card("card", "n0") {
				if len(s.Spec.Devices) > 0 {
					s.Spec.Devices[0].ConsumesCounters[0].CounterSet = "other"
				}
				e.UpsertResourceSlice(s)
			}
		}, outcome: engine.Unschedulable, code: engine.NoRoom, says: "uses up counter memory of set other, which does not exist"},
		{name: "fewer than none", class: "a", outcome: engine.Unschedulable, code: engine.DeviceFault, says: "request r asks for -1 devices"},
		{name: "too much for one claim", class: "a", outcome: engine.Unschedulable, code: engine.DeviceFault, says: "more than the 32 devices that a claim may hold"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := deviceCluster(1, 2)
			if tc.spoil != nil {
				tc.spoil(e)
			}
			n := int64(1)
			switch tc.name {
			case "too much for one claim":
				n = 33
			case "fewer than none":
				n = -1
			}
			gangOf(e, "g", tc.class, 1, n)
			d := expectDevices(t, e, "g", tc.outcome, 0)
			says := d.Reason.String()
			for _, x := range e.Explain(d.Root) {
				says += "; " + x.String()
			}
			if d.Reason.Code != tc.code || !strings.Contains(says, tc.says) {
				t.Errorf("%s: %s, want %s: %s", d.Reason.Code, says, tc.code, tc.says)
			}
			gangOf(e, "other", "a", 2, 1)
			expectDevices(t, e, "other", engine.Placed, 2)
		})
	}
}

// TestAlternativeOfNoClass: the allocator refuses a request of which one alternative names a class that does not exist, be the
// others as they may. The group is told of the class, and not that there is no room.
func TestAlternativeOfNoClass(t *testing.T) {
	for _, alternatives := range [][]string{{"a", "gone"}, {"gone", "a"}, {"gone", "gone"}} {
		e := deviceCluster(1, 2)
		gangOf(e, "g", "a", 1, 1)
		r := resourceapi.DeviceRequest{Name: "r"}
		for i, name := range alternatives {
			r.FirstAvailable = append(r.FirstAvailable, resourceapi.DeviceSubRequest{
				Name: fmt.Sprint("s", i), DeviceClassName: name, AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: 1})
		}
		e.UpsertResourceClaim(rclaim("g-claim-0", "g-0", r))
		d := expectDevices(t, e, "g", engine.Unschedulable, 0)
		if says := d.Reason.String(); says != "DeviceClass gone does not exist, and a request needs the classes of all its alternatives" {
			t.Errorf("%v: %s", alternatives, says)
		}
		e.UpsertDeviceClass(class("gone", `device.driver == "gpu.example.com"`))
		expectDevices(t, e, "g", engine.Placed, 1)
	}
}

// TestSliceThatDisappears: what runs runs on; a claim that is allocated and waits is given up.
func TestSliceThatDisappears(t *testing.T) {
	e := deviceCluster(2, 1)
	claims := gangOf(e, "g", "a", 1, 1)
	d := expectDevices(t, e, "g", engine.Placed, 1)
	write(e, claims, d)
	e.Forget(d.Placements[0].Pod) // the claim stays allocated
	if again := expectDevices(t, e, "g", engine.Placed, 1); again.Placements[0].Node != d.Placements[0].Node {
		t.Errorf("on %s, then on %s", d.Placements[0].Node, again.Placements[0].Node)
	}
	e.DeleteResourceSlice("pool-" + d.Placements[0].Node)
	d = expectDevices(t, e, "g", engine.Unschedulable, 0)
	if !strings.Contains(d.Reason.String(), "which no ResourceSlice describes any more") || len(d.Revoke) != 1 {
		t.Errorf("%s, revoked %v", d.Reason, d.Revoke)
	}
	free := claims["g-claim-0"].DeepCopy()
	free.Status = resourceapi.ResourceClaimStatus{}
	e.UpsertResourceClaim(free)
	expectDevices(t, e, "g", engine.Placed, 1)
}

// TestClaimThatAsksForNothing: it is allowed, and gets an allocation without devices, on a node that offers none, too.
func TestClaimThatAsksForNothing(t *testing.T) {
	for name, edit := range map[string]func(e *engine.Engine, g *schedulingv1beta1.PodGroup){
		"own claims":  func(*engine.Engine, *schedulingv1beta1.PodGroup) {},
		"the group's": func(_ *engine.Engine, g *schedulingv1beta1.PodGroup) { sharing("empty-0")(g) },
	} {
		t.Run(name, func(t *testing.T) {
			e := deviceCluster(1, 0)
			g := gang("g", 2)
			edit(e, g)
			e.UpsertGroup(g)
			for i := range 2 {
				claim := fmt.Sprint("empty-", i)
				if len(g.Spec.ResourceClaims) > 0 {
					claim = "empty-0"
				}
				e.UpsertResourceClaim(rclaim(claim, ""))
				e.UpsertPod(pod(fmt.Sprint("g-", i), "g", 1, 0, using(claim)))
			}
			d := expectDevices(t, e, "g", engine.Placed, 2)
			for _, pl := range d.Placements {
				if len(pl.Devices) != 1 || pl.Devices[0].Allocation == nil || len(pl.Devices[0].Allocation.Devices.Results) > 0 {
					t.Errorf("%s gets %+v", pl.Pod.Name, pl.Devices)
				}
			}
		})
	}
}

// TestDevicesOfVictims: with the pods of others taken away, their devices are free, and taken again when they are back.
func TestDevicesOfVictims(t *testing.T) {
	e := deviceCluster(1, 2)
	claims := gangOf(e, "low", "a", 2, 1)
	expectAndWrite(t, e, "low", claims)
	gangOf(e, "high", "a", 2, 1)
	r := root(engine.KindPodGroup, "high")
	expectDevices(t, e, "high", engine.Unschedulable, 0)
	if nodes, ok := e.Reserve(r); !ok || len(nodes) != 1 {
		t.Errorf("the emptied cluster does not take it: %v", nodes)
	}
	expectDevices(t, e, "high", engine.Unschedulable, 0)
}
