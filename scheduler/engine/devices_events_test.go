package engine_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"muster/scheduler/engine"
)

// deviceWorld is the truth of a small cluster with claims.
type deviceWorld struct {
	e      *engine.Engine
	slices map[string]*resourceapi.ResourceSlice
	claims map[string]*resourceapi.ResourceClaim
	groups map[string]*schedulingv1beta1.PodGroup
	pods   map[string]*corev1.Pod
	next   int
}

var deviceNodes = []string{"n0", "n1", "n2"}

func tellNodes(e *engine.Engine) {
	addClasses(e)
	for i, n := range deviceNodes {
		e.UpsertNode(node(n, 4, 0, zone, []string{"a", "b"}[i%2]))
	}
}

func (w *deviceWorld) addSlices(t *rapid.T) {
	n := rapid.SampledFrom(deviceNodes).Draw(t, "node")
	var list []*resourceapi.ResourceSlice
	switch rapid.SampledFrom([]string{"plain", "plain", "card", "net"}).Draw(t, "kind") {
	case "card":
		list = card("card-"+n, n)
	case "net":
		list = append(list, slice("net", "", devs(rapid.IntRange(0, 2).Draw(t, "devices"), "net")...))
	default:
		list = append(list, slice("pool-"+n, n, slices.Concat(devs(rapid.IntRange(0, 3).Draw(t, "a"), "a"), devs(rapid.IntRange(0, 2).Draw(t, "b"), "b"))...))
	}
	for _, s := range list {
		w.slices[s.Name] = s
		w.e.UpsertResourceSlice(s)
	}
}

// addGang makes a gang whose members have claims of their own, share one, or both.
func (w *deviceWorld) addGang(t *rapid.T) {
	if len(w.groups) == 4 {
		t.Skip("enough groups")
	}
	w.next++
	name := fmt.Sprint("g", w.next)
	quorum := rapid.IntRange(1, 3).Draw(t, "quorum")
	g := gang(name, int32(quorum))
	shared := ""
	if rapid.IntRange(0, 2).Draw(t, "shares") == 0 {
		shared = name + "-shared"
		w.addClaim(rclaim(shared, "", ask(rapid.SampledFrom([]string{"any", "a", "net", "half"}).Draw(t, "class"), 1)))
		if rapid.Bool().Draw(t, "by group") {
			sharing(shared)(g)
		}
	}
	w.groups[name] = g
	w.e.UpsertGroup(g)
	for i := range quorum + rapid.IntRange(0, 1).Draw(t, "more") {
		var uses []string
		if shared != "" {
			uses = append(uses, shared)
		}
		if shared == "" || rapid.Bool().Draw(t, "own") {
			own := fmt.Sprintf("%s-%d", name, i)
			r := ask(rapid.SampledFrom([]string{"any", "a", "b", "quarter", "whole", "net"}).Draw(t, "class"), int64(rapid.IntRange(1, 2).Draw(t, "count")))
			w.addClaim(rclaim(own, "", r))
			uses = append(uses, own)
		}
		p := pod(fmt.Sprintf("%s-%d", name, i), name, 1, 0, using(uses...))
		w.pods[p.Name] = p
		w.e.UpsertPod(p)
	}
}

func (w *deviceWorld) addClaim(c *resourceapi.ResourceClaim) {
	w.claims[c.Name] = c
	w.e.UpsertResourceClaim(c)
}

// endGroup ends all members of a group and deletes it; its claims are released, as the control plane does.
func (w *deviceWorld) endGroup(name string) {
	for _, p := range slices.Sorted(maps.Keys(w.pods)) {
		if *w.pods[p].Spec.SchedulingGroup.PodGroupName == name {
			delete(w.pods, p)
			w.e.DeletePod(engine.Key{Namespace: ns, Name: p})
		}
	}
	for _, c := range slices.Sorted(maps.Keys(w.claims)) {
		if len(c) > len(name) && c[:len(name)+1] == name+"-" {
			delete(w.claims, c)
			w.e.DeleteResourceClaim(engine.Key{Namespace: ns, Name: c})
		}
	}
	delete(w.groups, name)
	w.e.DeleteGroup(engine.Key{Namespace: ns, Name: name})
}

// carryOut does what the scheduler does with a decision, and now and then fails at it.
func (w *deviceWorld) carryOut(t *rapid.T, d engine.Decision) {
	if len(d.Placements) == 0 {
		return
	}
	if rapid.IntRange(0, 3).Draw(t, "fails") == 0 {
		w.e.Assume(d.Placements)
		w.check(t)
		for _, pl := range d.Placements {
			w.e.Forget(pl.Pod)
		}
		return
	}
	write(w.e, w.claims, d)
	for _, pl := range d.Placements {
		p := w.pods[pl.Pod.Name].DeepCopy()
		p.Spec.NodeName = pl.Node
		w.pods[p.Name] = p
		w.e.UpsertPod(p)
	}
}

func (w *deviceWorld) fresh() *engine.Engine {
	e := engine.New(engine.Options{})
	tellNodes(e) // first, and members by age: of what is equally good the first is taken
	for _, k := range slices.Sorted(maps.Keys(w.pods)) {
		e.UpsertPod(w.pods[k])
	}
	for _, k := range slices.Sorted(maps.Keys(w.claims)) {
		e.UpsertResourceClaim(w.claims[k])
	}
	for _, k := range slices.Sorted(maps.Keys(w.groups)) {
		e.UpsertGroup(w.groups[k])
	}
	for _, k := range slices.Sorted(maps.Keys(w.slices)) {
		e.UpsertResourceSlice(w.slices[k])
	}
	return e
}

// onceEach: no device is given to two claims.
func onceEach(t *rapid.T, claims map[string]*resourceapi.ResourceClaim) {
	holder := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(claims)) {
		a := claims[name].Status.Allocation
		if a == nil {
			continue
		}
		for _, r := range a.Devices.Results {
			id := r.Pool + "/" + r.Device
			if holder[id] != "" {
				t.Fatalf("%s is given to %s and to %s", id, holder[id], name)
			}
			holder[id] = name
		}
	}
}

// check: no device is given to two claims, no card beyond what it has, no pod to a node its devices do not reach.
func (w *deviceWorld) check(t *rapid.T) {
	if err := w.e.Check(); err != nil {
		t.Fatal(err)
	}
	onceEach(t, w.claims)
	left := map[string]resource.Quantity{}
	for _, n := range deviceNodes {
		left["card-"+n] = resource.MustParse("40")
	}
	units := map[string]resource.Quantity{"whole": resource.MustParse("40"), "half": resource.MustParse("20"), "quarter": resource.MustParse("10")}
	for _, name := range slices.Sorted(maps.Keys(w.claims)) {
		a := w.claims[name].Status.Allocation
		if a == nil {
			continue
		}
		for _, r := range a.Devices.Results {
			if q, ok := left[r.Pool]; ok {
				q.Sub(units[r.Device[:len(r.Device)-2]])
				if left[r.Pool] = q; q.Sign() < 0 {
					t.Fatalf("%s is given out beyond what it has", r.Pool)
				}
			}
		}
		for _, p := range w.pods {
			for _, u := range p.Spec.ResourceClaims {
				if *u.ResourceClaimName == name && p.Spec.NodeName != "" && !reaches(a, p.Spec.NodeName) {
					t.Fatalf("pod %s on %s has claim %s with %+v", p.Name, p.Spec.NodeName, name, a.NodeSelector)
				}
			}
		}
	}
}

func reaches(a *resourceapi.AllocationResult, node string) bool {
	if a.NodeSelector == nil {
		return true
	}
	for _, f := range a.NodeSelector.NodeSelectorTerms[0].MatchFields {
		return f.Values[0] == node
	}
	return node != "n1" // zone a
}

// TestDevicesThroughHistories: claims come and go, decisions are carried out or fail. At every moment nothing is given
// out twice, what is kept is what follows from the objects, and an engine told anew finds the same groups placeable.
func TestDevicesThroughHistories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &deviceWorld{e: engine.New(engine.Options{}), slices: map[string]*resourceapi.ResourceSlice{}, claims: map[string]*resourceapi.ResourceClaim{},
			groups: map[string]*schedulingv1beta1.PodGroup{}, pods: map[string]*corev1.Pod{}}
		tellNodes(w.e)
		some := func(t *rapid.T) string {
			if len(w.groups) == 0 {
				t.Skip()
			}
			return rapid.SampledFrom(slices.Sorted(maps.Keys(w.groups))).Draw(t, "group")
		}
		t.Repeat(map[string]func(*rapid.T){
			"slices": w.addSlices,
			"no slice": func(t *rapid.T) {
				if len(w.slices) == 0 {
					t.Skip()
				}
				name := rapid.SampledFrom(slices.Sorted(maps.Keys(w.slices))).Draw(t, "slice")
				delete(w.slices, name)
				w.e.DeleteResourceSlice(name)
			},
			"gang": w.addGang,
			"end":  func(t *rapid.T) { w.endGroup(some(t)) },
			"solve": func(t *rapid.T) {
				r := root(engine.KindPodGroup, some(t))
				d := w.e.Solve(r)
				if again := w.e.Solve(r); d.Outcome != again.Outcome || len(d.Placements) != len(again.Placements) {
					t.Fatalf("asked twice: %s (%s), then %s (%s)", d.Outcome, d.Reason, again.Outcome, again.Reason)
				}
				w.carryOut(t, d)
			},
			"": func(t *rapid.T) {
				w.check(t)
				if rapid.IntRange(0, 7).Draw(t, "told anew") > 0 {
					return
				}
				f := w.fresh()
				for _, g := range slices.Sorted(maps.Keys(w.groups)) {
					r := root(engine.KindPodGroup, g)
					a, b := w.e.Solve(r), f.Solve(r)
					if a.Outcome != b.Outcome || len(a.Placements) != len(b.Placements) || a.Reason.Code != b.Reason.Code {
						t.Fatalf("%s: %s with %d placed (%s); told anew %s with %d (%s)", g, a.Outcome, len(a.Placements), a.Reason, b.Outcome, len(b.Placements), b.Reason)
					}
					w.e.Explain(r)
				}
				if err := w.e.Check(); err != nil {
					t.Fatal(err)
				}
			},
		})
	})
}
