package engine_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/utils/ptr"

	"muster/scheduler/engine"
)

// gangOf makes a gang of n pods, each with a claim of its own that asks for k devices of a class.
func gangOf(e *engine.Engine, name, class string, n int, k int64) map[string]*resourceapi.ResourceClaim {
	claims := map[string]*resourceapi.ResourceClaim{}
	e.UpsertGroup(gang(name, int32(n)))
	for i := range n {
		pod1, c := fmt.Sprint(name, "-", i), fmt.Sprint(name, "-claim-", i)
		claims[c] = rclaim(c, pod1, ask(class, k))
		e.UpsertPod(pod(pod1, name, 1, 0, fromTemplate(c)))
		e.UpsertResourceClaim(claims[c])
	}
	return claims
}

func expectDevices(t *testing.T, e *engine.Engine, group string, o engine.Outcome, placed int) engine.Decision {
	t.Helper()
	d := e.Solve(root(engine.KindPodGroup, group))
	if d.Outcome != o || len(d.Placements) != placed {
		t.Fatalf("%s: %s with %d placed (%s), want %s with %d\n%v", group, d.Outcome, len(d.Placements), d.Reason, o, placed, e.Explain(d.Root))
	}
	if err := e.Check(); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestGangWithDevices(t *testing.T) {
	e := deviceCluster(2, 4)
	d := expectAndWrite(t, e, "g", gangOf(e, "g", "a", 8, 1))
	for _, pl := range d.Placements {
		c := pl.Devices[0]
		if len(c.Allocation.Devices.Results) != 1 || c.Consumer.Resource != "pods" || c.Consumer.Name != pl.Pod.Name {
			t.Errorf("%+v", c)
		}
	}
	gangOf(e, "more", "any", 1, 1)
	d = expectDevices(t, e, "more", engine.Unschedulable, 0)
	if why := e.Explain(d.Root)[0].String(); !strings.Contains(why, "2 nodes have too few devices of class any (1 asked, at most 0 free)") {
		t.Errorf("%s", why)
	}
}

func expectAndWrite(t *testing.T, e *engine.Engine, group string, claims map[string]*resourceapi.ResourceClaim) engine.Decision {
	t.Helper()
	d := e.Solve(root(engine.KindPodGroup, group))
	if d.Outcome != engine.Placed || len(d.Left) > 0 {
		t.Fatalf("%s: %s (%s)\n%v", group, d.Outcome, d.Reason, e.Explain(d.Root))
	}
	write(e, claims, d)
	if err := e.Check(); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestGangShortByOneDevice: nothing is placed and nothing stays held, until a device comes free.
func TestGangShortByOneDevice(t *testing.T) {
	e := deviceCluster(2, 4)
	old := gangOf(e, "old", "a", 1, 1)
	expectAndWrite(t, e, "old", old)
	e.Woken()
	gangOf(e, "g", "a", 8, 1)
	expectDevices(t, e, "g", engine.Unschedulable, 0)
	e.Woken()
	free := old["old-claim-0"].DeepCopy()
	free.Status = resourceapi.ResourceClaimStatus{}
	e.DeletePod(engine.Key{Namespace: ns, Name: "old-0"})
	if woken := e.Woken(); len(woken) != 0 {
		t.Errorf("woken before the device is free: %v", woken)
	}
	e.UpsertResourceClaim(free)
	if woken := e.Woken(); len(woken) != 1 || woken[0].Name != "g" {
		t.Errorf("woken are %v", woken)
	}
	expectDevices(t, e, "g", engine.Placed, 8)
}

// TestSharedClaim: all members use one node-local device, so they go to one node, the one with room for all.
func TestSharedClaim(t *testing.T) {
	e := deviceCluster(3, 1)
	e.UpsertNode(node("n2", 6, 0))
	e.UpsertPod(pod("filler0", "", 60, 0, bind("n0")))
	e.UpsertPod(pod("filler1", "", 60, 0, bind("n1")))
	claims := map[string]*resourceapi.ResourceClaim{"shared": rclaim("shared", "", ask("a", 1))}
	e.UpsertResourceClaim(claims["shared"])
	e.UpsertGroup(gang("g", 5, sharing("shared")))
	for i := range 5 {
		e.UpsertPod(pod(fmt.Sprint("p", i), "g", 1, 0, using("shared")))
	}
	d := expectDevices(t, e, "g", engine.Placed, 5)
	for _, pl := range d.Placements {
		if pl.Node != "n2" || pl.Devices[0].Consumer.Resource != "podgroups" || pl.Devices[0].Consumer.Name != "g" {
			t.Errorf("%s on %s, for %+v", pl.Pod, pl.Node, pl.Devices[0].Consumer)
		}
	}
	write(e, claims, d)
	if r := claims["shared"].Status.ReservedFor; len(r) != 1 {
		t.Errorf("reserved for %v", r)
	}
	// A late member must go where the device is.
	e.UpsertPod(pod("late", "g", 1, 0, using("shared")))
	if d := expectDevices(t, e, "g", engine.Placed, 1); d.Placements[0].Node != "n2" {
		t.Errorf("%+v", d.Placements)
	}
	e.UpsertPod(pod("late", "g", 3, 0, using("shared")))
	expectDevices(t, e, "g", engine.Unschedulable, 0)
}

// TestManySharers: three hundred members share a claim that is entered once; of pods that are entered each for itself
// no more than 256 can.
func TestManySharers(t *testing.T) {
	for _, group := range []bool{true, false} {
		e := engine.New(engine.Options{})
		addClasses(e)
		n := node("n0", 400, 0, zone, "a")
		n.Status.Allocatable[corev1.ResourcePods] = resource.MustParse("400")
		e.UpsertNode(n)
		e.UpsertResourceSlice(slice("net", "", devs(1, "net")...))
		e.UpsertResourceClaim(rclaim("shared", "", ask("net", 1)))
		g := gang("g", 1)
		if group {
			sharing("shared")(g)
		}
		e.UpsertGroup(g)
		for i := range 300 {
			e.UpsertPod(pod(fmt.Sprint("p", i), "g", 1, 0, using("shared")))
		}
		expectDevices(t, e, "g", engine.Placed, map[bool]int{true: 300, false: 256}[group])
	}
}

// TestNetworkDevices are reached from zone a alone, and are no more for being seen from several nodes.
func TestNetworkDevices(t *testing.T) {
	e := deviceCluster(6, 0)
	e.UpsertResourceSlice(slice("net", "", devs(3, "net")...))
	claims := gangOf(e, "g", "net", 3, 1)
	d := expectDevices(t, e, "g", engine.Placed, 3)
	used := map[string]bool{}
	for _, pl := range d.Placements {
		used[pl.Devices[0].Allocation.Devices.Results[0].Device] = true
		if n := pl.Node; n != "n0" && n != "n2" && n != "n4" {
			t.Errorf("%s on %s", pl.Pod, n)
		}
	}
	if len(used) != 3 {
		t.Errorf("devices %v", used)
	}
	write(e, claims, d)
	gangOf(e, "h", "net", 1, 1)
	expectDevices(t, e, "h", engine.Unschedulable, 0)
}

// TestPartitionsAreSolvedTogether: a card is shared out among members that ask for different parts of it.
func TestPartitionsAreSolvedTogether(t *testing.T) {
	e := deviceCluster(1, 0)
	for _, s := range card("card", "n0") {
		e.UpsertResourceSlice(s)
	}
	e.UpsertGroup(gang("g", 4))
	for i, cl := range []string{"any", "quarter", "half", "any"} {
		name := fmt.Sprint("c", i)
		e.UpsertResourceClaim(rclaim(name, "", ask(cl, 1)))
		e.UpsertPod(pod(fmt.Sprint("p", i), "g", 1, 0, using(name)))
	}
	d := e.Solve(root(engine.KindPodGroup, "g"))
	if d.Outcome != engine.Unschedulable { // 10 + 10 + 10 + 20 is more than 40
		t.Fatalf("%s: %+v", d.Outcome, d.Placements)
	}
	e.UpsertGroup(gang("g", 3))
	expectDevices(t, e, "g", engine.Placed, 3)
}

// TestExtendedResources: a node without a device plugin is asked for devices of the class that offers the resource.
func TestExtendedResources(t *testing.T) {
	e := deviceCluster(2, 2)
	c := class("a", modelIs("a"))
	c.Spec.ExtendedResourceName = ptr.To(string(gpu))
	e.UpsertDeviceClass(c)
	e.UpsertNode(node("plugin", 64, 2))
	e.UpsertGroup(gang("g", 6))
	for i := range 6 {
		e.UpsertPod(pod(fmt.Sprint("p", i), "g", 1, 1))
	}
	d := expectDevices(t, e, "g", engine.Placed, 6)
	for _, pl := range d.Placements {
		if through := len(pl.Devices) == 1; through == (pl.Node == "plugin") {
			t.Errorf("%+v", pl)
		}
		if len(pl.Devices) == 1 {
			x := pl.Devices[0]
			if x.Name != "" || x.Requests[0].Name != "container-0-request-1" || x.Uses[0].ContainerName != "c" || x.Uses[0].RequestName != "container-0-request-1" {
				t.Errorf("%+v", x)
			}
		}
	}
	e.Assume(d.Placements)
	e.UpsertPod(pod("late", "", 1, 1))
	if d := e.Solve(root(engine.KindPod, "late")); d.Outcome != engine.Unschedulable {
		t.Errorf("%+v", d)
	}
	e.Forget(d.Placements[0].Pod)
	if d := e.Solve(root(engine.KindPod, "late")); d.Outcome != engine.Placed {
		t.Errorf("%+v", d)
	}
	if err := e.Check(); err != nil {
		t.Error(err)
	}
}
