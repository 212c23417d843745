package engine_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"muster/scheduler/engine"
	"muster/suites/oracle"
)

// bazaar is a cluster in which gangs and pods of three priorities come, evict each other and end, at any time.
type bazaar struct {
	e      *engine.Engine
	nodes  map[string]*corev1.Node
	pods   map[string]*corev1.Pod
	ending map[string]bool
	// helpless are the roots that preemption did not help, and Freed as it was then.
	helpless map[engine.Root]uint64
	next     int
	// claims are those of pods that ask for devices, by the pod's name; orphans those whose pods have ended, which the
	// control plane has yet to release.
	claims  map[string]*resourceapi.ResourceClaim
	orphans []string
	devices bool
	// What else an engine has to be told that starts anew.
	opts   engine.Options
	groups map[string]*schedulingv1beta1.PodGroup
	slices map[string]*resourceapi.ResourceSlice
}

// TestPreemptionHistories tells random histories in which victims take their time to end. Nobody is evicted twice,
// nothing is overcommitted, no device given out twice, what is kept incrementally is right, and there is an end to it: with
// nothing more happening everybody comes to rest, no room is kept for anybody, and nobody is left whom preemption would
// help. With devices the claims of those who ended are released some time later. An engine that is told then what there is
// answers as this one does.
func TestPreemptionHistories(t *testing.T) {
	for _, withDevices := range []bool{false, true} {
		t.Run(fmt.Sprintf("devices=%v", withDevices), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { preemptionHistory(t, withDevices) })
		})
	}
}

func preemptionHistory(t *rapid.T, withDevices bool) {
	opts := engine.Options{Seed: rapid.Uint64().Draw(t, "seed"), PreemptForAll: rapid.Bool().Draw(t, "for all")}
	w := &bazaar{e: engine.New(opts), opts: opts, groups: map[string]*schedulingv1beta1.PodGroup{}, slices: map[string]*resourceapi.ResourceSlice{},
		nodes: map[string]*corev1.Node{}, pods: map[string]*corev1.Pod{}, ending: map[string]bool{}, helpless: map[engine.Root]uint64{},
		claims: map[string]*resourceapi.ResourceClaim{}, devices: withDevices}
	addClasses(w.e)
	for range 3 {
		w.addNode(t)
	}
	for range rapid.IntRange(1, 20).Draw(t, "events") {
		w.event(t)
		w.settle(t)
		w.check(t)
	}
	for len(w.ending)+len(w.orphans) > 0 {
		if len(w.orphans) > 0 {
			w.release()
		} else {
			w.end(slices.Sorted(maps.Keys(w.ending))[0])
		}
		w.settle(t)
		w.check(t)
	}
	if n := w.e.Nominated(); n > 0 {
		t.Fatalf("at rest room is kept for %d roots", n)
	}
	for name := range w.pods {
		r, _ := w.e.Lookup(engine.Key{Namespace: ns, Name: name})
		if d := w.e.Solve(r); d.Outcome != engine.Unschedulable {
			continue
		}
		if p := w.e.Preempt(r); p.Kind != engine.NoPlan {
			t.Fatalf("at rest %s could be helped: %s of %s", r, p.Kind, victims(p))
		}
	}
	w.sameAnew(t)
}

func (w *bazaar) addNode(t *rapid.T) {
	w.next++
	n := node(fmt.Sprint("n", w.next), int64(rapid.IntRange(1, 6).Draw(t, "cpu")), 0, zone, rapid.SampledFrom([]string{"a", "b"}).Draw(t, "zone"))
	w.nodes[n.Name] = n
	w.e.UpsertNode(n)
	if w.devices {
		if list := append(devs(rapid.IntRange(0, 3).Draw(t, "a"), "a"), devs(rapid.IntRange(0, 1).Draw(t, "b"), "b")...); len(list) > 0 {
			w.slices[n.Name] = slice("pool-"+n.Name, n.Name, list...)
			w.e.UpsertResourceSlice(w.slices[n.Name])
		}
	}
}

func (w *bazaar) event(t *rapid.T) {
	switch rapid.SampledFrom([]string{"gang", "gang", "pod", "pod", "ends", "ends", "deleted", "add node", "delete node", "spared", "release", "release"}).Draw(t, "event") {
	case "gang":
		w.next++
		name := fmt.Sprint("g", w.next)
		prio := int32(rapid.IntRange(0, 2).Draw(t, "priority"))
		n := rapid.IntRange(1, 4).Draw(t, "members")
		g := gang(name, int32(rapid.IntRange(0, n).Draw(t, "quorum")), groupPriority(prio))
		if rapid.Bool().Draw(t, "together") {
			disruptedTogether(g)
		}
		if rapid.IntRange(0, 2).Draw(t, "constrained") == 0 {
			inOne(zone)(g)
		}
		w.groups[name] = g
		w.e.UpsertGroup(g)
		for range n {
			w.addPod(t, name, prio)
		}
	case "pod":
		w.addPod(t, "", int32(rapid.IntRange(0, 2).Draw(t, "priority")))
	case "ends":
		if names := slices.Sorted(maps.Keys(w.ending)); len(names) > 0 {
			w.end(rapid.SampledFrom(names).Draw(t, "who"))
		}
	case "deleted", "spared":
		if names := slices.Sorted(maps.Keys(w.pods)); len(names) > 0 {
			name := rapid.SampledFrom(names).Draw(t, "who")
			w.e.Spare(engine.PodRef{Key: engine.Key{Namespace: ns, Name: name}, UID: w.pods[name].UID})
			if p := w.pods[name]; w.ending[name] && p.DeletionTimestamp == nil {
				delete(w.ending, name) // its eviction failed
			} else if p.Spec.NodeName == "" {
				w.end(name)
			}
		}
	case "release":
		if len(w.orphans) > 0 {
			w.release()
		}
	case "add node":
		w.addNode(t)
	case "delete node":
		name := rapid.SampledFrom(slices.Sorted(maps.Keys(w.nodes))).Draw(t, "node")
		if len(w.nodes) == 1 {
			return
		}
		delete(w.nodes, name)
		w.e.DeleteNode(name)
		for _, p := range slices.Sorted(maps.Keys(w.pods)) {
			if w.pods[p].Spec.NodeName == name {
				w.end(p)
			}
		}
	}
}

func (w *bazaar) addPod(t *rapid.T, group string, prio int32) {
	w.next++
	p := pod(fmt.Sprint("p", w.next), group, int64(rapid.IntRange(1, 3).Draw(t, "cores")), 0, priority(prio))
	p.CreationTimestamp = metav1.Unix(int64(w.next/4), 0) // some are as old as others
	if w.devices && rapid.IntRange(0, 2).Draw(t, "asks") > 0 {
		class := rapid.SampledFrom([]string{"any", "a", "b"}).Draw(t, "class")
		c := rclaim("claim-"+p.Name, p.Name, ask(class, int64(rapid.IntRange(1, 2).Draw(t, "count"))))
		w.claims[c.Name] = c
		w.e.UpsertResourceClaim(c)
		fromTemplate(c.Name)(p)
	}
	w.pods[p.Name] = p
	w.e.UpsertPod(p)
}

// end is the end of a pod.
func (w *bazaar) end(name string) {
	delete(w.pods, name)
	delete(w.ending, name)
	w.e.DeletePod(engine.Key{Namespace: ns, Name: name})
	if w.claims["claim-"+name] != nil {
		w.orphans = append(w.orphans, "claim-"+name)
	}
}

// release is what the control plane does with the claim of a pod that has ended.
func (w *bazaar) release() {
	delete(w.claims, w.orphans[0])
	w.e.DeleteResourceClaim(engine.Key{Namespace: ns, Name: w.orphans[0]})
	w.orphans = w.orphans[1:]
}

// settle does what the control loop does, until nobody is woken. The deletion of a victim is seen at once or later.
func (w *bazaar) settle(t *rapid.T) {
	for round := 0; ; round++ {
		woken := w.e.Woken()
		for r, freed := range w.helpless { // room that came free may help together with what can be evicted
			if freed != w.e.Freed() && !slices.Contains(woken, r) {
				woken = append(woken, r)
			}
		}
		slices.SortFunc(woken, func(a, b engine.Root) int { return cmp.Compare(a.String(), b.String()) })
		if len(woken) == 0 {
			return
		}
		if round > 50 {
			t.Fatalf("no rest after %d rounds: %v is woken again and again", round, woken)
		}
		for _, r := range woken {
			for w.attempt(t, r) {
			}
		}
	}
}

// attempt reports whether the root should be tried again at once: part of it was placed, and the rest may preempt.
func (w *bazaar) attempt(t *rapid.T, r engine.Root) bool {
	d := w.e.Solve(r)
	delete(w.helpless, r)
	switch d.Outcome {
	case engine.Placed:
		write(w.e, w.claims, d)
		w.e.Renounce(r)
		for _, pl := range d.Placements {
			p := w.pods[pl.Pod.Name]
			p.Spec.NodeName = pl.Node
			w.e.UpsertPod(p)
		}
		return len(d.Left) > 0
	case engine.Unschedulable:
		p := w.e.Preempt(r)
		if p.Kind == engine.NoPlan {
			w.e.Renounce(r)
			w.helpless[r] = w.e.Freed()
			return false
		}
		w.e.Nominate(p)
		for _, v := range p.Victims {
			if w.ending[v.Name] {
				t.Fatalf("%s is evicted twice", v.Name)
			}
			w.ending[v.Name] = true
			if rapid.Bool().Draw(t, "seen") {
				deleted(w.pods[v.Name])
				w.e.UpsertPod(w.pods[v.Name])
			}
		}
	default:
		w.e.Renounce(r)
	}
	return false
}

func (w *bazaar) check(t *rapid.T) {
	if err := w.e.Check(); err != nil {
		t.Fatal(err)
	}
	for name, n := range w.nodes {
		var on []*corev1.Pod
		for _, p := range slices.Sorted(maps.Keys(w.pods)) {
			if w.pods[p].Spec.NodeName == name {
				on = append(on, w.pods[p])
			}
		}
		for _, p := range on {
			if x := oracle.Excess(oracle.NodeOf(n, on...), p); len(x) > 0 {
				t.Fatalf("node %s: %v", name, x)
			}
		}
	}
	onceEach(t, w.claims)
	if rapid.IntRange(0, 3).Draw(t, "compared") == 0 {
		w.sameForAlike(t)
	}
}
