package engine_test

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"muster/scheduler/engine"
)

// ward is a small cluster with claims, budgets and disruption modes, written down twice: as objects, which the engine is
// told, and as counts, with which every choice of victims is tried.
type ward struct {
	e       *engine.Engine
	sites   []wardSite
	running []*wardPod
	held    []*wardClaim
	waiting []wardAsk
	quorum  int
	inZone  bool
	allowed map[string]int // of the budget that selects an app; absent: no budget
}

// wardSite is a node: cores, and how many devices of model a and of model b it has in all.
type wardSite struct {
	name, zone string
	cores      int
	devices    [2]int
	used       [2]int // by claims, for the next one to take others
}

type wardPod struct {
	name, app string
	site      int
	cores     int
	unit      string // who goes together; empty for a pod that cannot be evicted
	priority  int32
}

// wardClaim holds devices of a site until all its holders are gone; one without holders is a group's, and stays.
type wardClaim struct {
	site    int
	devices [2]int
	holders []string
}

// wardAsk is a pod that waits: cores, and so many devices of a class: model 0 is a, 1 is b, 2 is either.
type wardAsk struct{ cores, model, count int }

// TestVictimsCostTheLeast holds victims against every choice of them, with claims of one pod, of several and of groups,
// budgets, disruption modes of groups and of trees, and priorities: somebody is evicted exactly if that helps and is
// needed, units go as wholes, nobody goes who may not, and no choice costs less. Once the victims have ended and their
// claims are released the gang is placed.
func TestVictimsCostTheLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWard(t)
		best, ok := w.least()
		r := root(engine.KindPodGroup, "high")
		d, p := w.e.Solve(r), w.e.Preempt(r)
		if err := w.e.Check(); err != nil {
			t.Fatal(err)
		}
		if none := ok && best.Units == 0; none != (d.Outcome == engine.Placed) {
			t.Fatalf("fits as it is: %v, the engine says %s (%s)\n%s", none, d.Outcome, d.Reason, w)
		} else if none {
			return
		}
		if ok != (p.Kind == engine.Evict) {
			t.Fatalf("evicting helps: %v (%+v), the engine says %s of %s (%s)\n%s", ok, best, p.Kind, victims(p), p.Why, w)
		} else if !ok {
			return
		}
		gone := map[string]bool{}
		for _, v := range p.Victims {
			gone[v.Name] = true
		}
		units := map[string]bool{}
		for _, x := range w.running {
			if gone[x.name] && x.unit == "" {
				t.Fatalf("pod %s may not be evicted\n%s", x.name, w)
			}
			units[x.unit] = units[x.unit] || gone[x.name]
		}
		for _, x := range w.running {
			if units[x.unit] && !gone[x.name] {
				t.Fatalf("pod %s stays of unit %s, which goes\n%s", x.name, x.unit, w)
			}
		}
		if !w.fits(gone) {
			t.Fatalf("without %s it does not fit\n%s", victims(p), w)
		}
		had, said := w.cost(gone), engine.Cost{Violations: p.Cost.Violations, Priority: p.Cost.Priority, Units: p.Cost.Units, Pods: p.Cost.Pods}
		if had != best || said != had {
			t.Fatalf("evicting %s costs %+v (said: %+v), the least is %+v\n%s", victims(p), had, said, best, w)
		}
		w.end(t, r, p, gone)
	})
}

// end lets the victims go and their claims be released, in this order, as the control plane does.
func (w *ward) end(t *rapid.T, r engine.Root, p engine.Plan, gone map[string]bool) {
	w.e.Nominate(p)
	w.e.Woken()
	for _, v := range p.Victims {
		if again := w.e.Preempt(r); again.Kind == engine.Evict {
			t.Fatalf("a second wave while the first ends: %s\n%s", victims(again), w)
		}
		w.e.DeletePod(v.Key)
	}
	for i, c := range w.held {
		if len(c.holders) > 0 && !slices.ContainsFunc(c.holders, func(h string) bool { return !gone[h] }) {
			if again := w.e.Preempt(r); again.Kind == engine.Evict {
				t.Fatalf("a second wave while claims are released: %s\n%s", victims(again), w)
			}
			w.e.UpsertResourceClaim(rclaim(fmt.Sprint("held-", i), "", ask("any", int64(c.devices[0]+c.devices[1]))))
		}
	}
	if !slices.Contains(w.e.Woken(), r) {
		t.Fatalf("not woken when there was room\n%s", w)
	}
	if d := w.e.Solve(r); d.Outcome != engine.Placed {
		t.Fatalf("%s (%s) once %s have ended\n%s", d.Outcome, d.Reason, victims(p), w)
	}
	if err := w.e.Check(); err != nil {
		t.Fatal(err)
	}
}

// least tries every choice of units. ok is false where not even all of them are enough.
func (w *ward) least() (best engine.Cost, ok bool) {
	var units []string
	for _, x := range w.running {
		if x.unit != "" && !slices.Contains(units, x.unit) {
			units = append(units, x.unit)
		}
	}
	for choice := range uint32(1) << len(units) {
		gone := map[string]bool{}
		for _, x := range w.running {
			if i := slices.Index(units, x.unit); i >= 0 && choice>>i&1 == 1 {
				gone[x.name] = true
			}
		}
		c := w.cost(gone)
		if c.Units != bits.OnesCount32(choice) {
			panic("counting units")
		}
		if (!ok || c.Less(best)) && w.fits(gone) {
			best, ok = c, true
		}
	}
	return best, ok
}

func (w *ward) cost(gone map[string]bool) engine.Cost {
	var c engine.Cost
	units, charged := map[string]bool{}, map[string]int{}
	for _, x := range w.running {
		if !gone[x.name] {
			continue
		}
		if c.Pods == 0 || x.priority > c.Priority {
			c.Priority = x.priority
		}
		c.Pods++
		units[x.unit] = true
		charged[x.app]++
	}
	c.Units = len(units)
	for app, allowed := range w.allowed {
		c.Violations += max(0, charged[app]-allowed)
	}
	return c
}

// fits tries every way to place a quorum of the pods that wait, once some are gone and what they alone held is released.
func (w *ward) fits(gone map[string]bool) bool {
	for _, z := range []string{"a", "b"} {
		var free []wardSite
		for i, s := range w.sites {
			if w.inZone && s.zone != z {
				continue
			}
			for _, x := range w.running {
				if x.site == i && !gone[x.name] {
					s.cores -= x.cores
				}
			}
			for _, c := range w.held {
				if c.site == i && (len(c.holders) == 0 || slices.ContainsFunc(c.holders, func(h string) bool { return !gone[h] })) {
					s.devices[0] -= c.devices[0]
					s.devices[1] -= c.devices[1]
				}
			}
			free = append(free, s)
		}
		if placeable(free, w.waiting, w.quorum, make([][3]int, len(free))) {
			return true
		}
	}
	return false
}

// placeable: asked counts what is asked of each site, by model. Devices of model a serve those who ask for a or for any.
func placeable(free []wardSite, asks []wardAsk, need int, asked [][3]int) bool {
	if need <= 0 {
		return true
	}
	if len(asks) < need {
		return false
	}
	a := asks[0]
	for i := range free {
		free[i].cores -= a.cores
		asked[i][a.model] += a.count
		n, of := asked[i], free[i].devices
		ok := free[i].cores >= 0 && n[0] <= of[0] && n[1] <= of[1] && n[0]+n[1]+n[2] <= of[0]+of[1] && placeable(free, asks[1:], need-1, asked)
		free[i].cores += a.cores
		asked[i][a.model] -= a.count
		if ok {
			return true
		}
	}
	return placeable(free, asks[1:], need, asked)
}

func (w *ward) String() string {
	s := fmt.Sprintf("quorum %d of %+v, in one zone: %v, budgets %v\n", w.quorum, w.waiting, w.inZone, w.allowed)
	for i, x := range w.sites {
		s += fmt.Sprintf("%+v\n", x)
		for _, p := range w.running {
			if p.site == i {
				s += fmt.Sprintf("  %+v\n", *p)
			}
		}
		for _, c := range w.held {
			if c.site == i {
				s += fmt.Sprintf("  %+v\n", *c)
			}
		}
	}
	return s
}

// hold writes a claim that is allocated on a site, for the pods of those names or, without any, for a group.
func (w *ward) hold(site int, devices [2]int, holders ...string) (name string) {
	name = fmt.Sprint("held-", len(w.held))
	w.held = append(w.held, &wardClaim{site, devices, holders})
	s := &w.sites[site]
	c := rclaim(name, "", ask("any", int64(devices[0]+devices[1])))
	c.Status.Allocation = &resourceapi.AllocationResult{NodeSelector: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
		MatchFields: []corev1.NodeSelectorRequirement{{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{s.name}}}}}}}
	for m, n := range devices {
		for range n {
			c.Status.Allocation.Devices.Results = append(c.Status.Allocation.Devices.Results, resourceapi.DeviceRequestAllocationResult{
				Request: "r", Driver: driver, Pool: "pool-" + s.name, Device: fmt.Sprint([]string{"a-", "b-"}[m], s.used[m])})
			s.used[m]++
		}
	}
	for _, h := range holders {
		c.Status.ReservedFor = append(c.Status.ReservedFor, resourceapi.ResourceClaimConsumerReference{Resource: "pods", Name: h, UID: types.UID("uid-" + h)})
	}
	if len(holders) == 0 {
		c.Status.ReservedFor = []resourceapi.ResourceClaimConsumerReference{{APIGroup: "scheduling.k8s.io", Resource: "podgroups", Name: "owner", UID: "uid-owner"}}
	}
	w.e.UpsertResourceClaim(c)
	return name
}
