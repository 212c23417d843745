package engine_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	"pgregory.net/rapid"

	"muster/scheduler/engine"
)

// wardUnits bounds the choices that are tried for each case: two to its power.
const wardUnits = 8

// drawWard draws up to three nodes on which pods of lower and of equal priority run, alone, in groups whose pods go one by
// one, in groups that go together, and in a tree that goes together.
func drawWard(t *rapid.T) *ward {
	w := &ward{e: engine.New(engine.Options{Seed: rapid.Uint64().Draw(t, "seed")}), allowed: map[string]int{}}
	addClasses(w.e)
	for i := range rapid.IntRange(1, 3).Draw(t, "nodes") {
		s := wardSite{name: fmt.Sprint("n", i), zone: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "zone"), cores: rapid.IntRange(1, 6).Draw(t, "cores"),
			devices: [2]int{rapid.IntRange(0, 3).Draw(t, "a"), rapid.IntRange(0, 2).Draw(t, "b")}}
		w.sites = append(w.sites, s)
		w.e.UpsertNode(node(s.name, int64(s.cores), 0, zone, s.zone))
		list := append(devs(s.devices[0], "a"), devs(s.devices[1], "b")...)
		if len(list) > 0 {
			w.e.UpsertResourceSlice(slice("pool-"+s.name, s.name, list...))
		}
	}
	for _, app := range []string{"x", "y"} {
		if n := rapid.IntRange(-1, 2).Draw(t, "budget"); n >= 0 {
			w.allowed[app] = n
			if err := w.e.UpsertBudget(budget(app, app, int32(n))); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.drawGroups(t)
	for i := range w.sites {
		w.drawRunning(t, i)
	}
	w.drawWaiting(t)
	return w
}

// wardGroups: whose pods go one by one, whose go together, and the two children of a tree that goes together.
var wardGroups = []string{"single", "all", "kid0", "kid1"}

func (w *ward) drawGroups(t *rapid.T) {
	top := composite("tree", 1, "", "")
	top.Spec.DisruptionMode = &schedulingv1alpha3.CompositeDisruptionMode{All: &schedulingv1alpha3.AllCompositeDisruptionMode{}}
	low := int32(1)
	top.Spec.Priority = &low
	w.e.UpsertComposite(top)
	w.e.UpsertGroup(gang("single", 1, groupPriority(0)))
	w.e.UpsertGroup(gang("all", 1, groupPriority(2), disruptedTogether))
	w.e.UpsertGroup(gang("kid0", 1, groupPriority(1), under("tree")))
	w.e.UpsertGroup(gang("kid1", 1, groupPriority(1), under("tree")))
}

func (w *ward) drawRunning(t *rapid.T, site int) {
	free := w.sites[site].cores
	left := w.sites[site].devices
	take := func(most int) (n [2]int) {
		for range rapid.IntRange(0, most).Draw(t, "devices") {
			m := rapid.IntRange(0, 1).Draw(t, "model")
			if left[m] == 0 {
				m = 1 - m
			}
			if left[m] > 0 {
				left[m]--
				n[m]++
			}
		}
		return n
	}
	if n := take(1); n != [2]int{} && rapid.IntRange(0, 3).Draw(t, "of a group") == 0 {
		w.hold(site, n)
	}
	var before []string // the pod before, where it may share its claim
	var claim string
	for j := range rapid.IntRange(0, 4).Draw(t, "running") {
		cores := rapid.IntRange(0, 2).Draw(t, "pod cores")
		if len(w.running) == wardUnits || cores > free {
			return
		}
		free -= cores
		x := &wardPod{name: fmt.Sprintf("%s-%d", w.sites[site].name, j), app: rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "app"), site: site, cores: cores}
		x.unit, x.priority = x.name, int32(rapid.IntRange(0, 3).Draw(t, "priority"))
		group := rapid.SampledFrom(append([]string{"", "", ""}, wardGroups...)).Draw(t, "group")
		switch group {
		case "":
			if x.priority == 3 {
				x.unit, x.priority = "", 10
			}
		case "single":
			x.priority = 0
		case "all":
			x.unit, x.priority = "all", 2
		default:
			x.unit, x.priority = "tree", 1
		}
		w.running = append(w.running, x)
		edit := []func(*corev1.Pod){bind(w.sites[site].name), priority(x.priority), labelled(x.app)}
		if before != nil && rapid.IntRange(0, 3).Draw(t, "shares") == 0 {
			edit = append(edit, using(claim))
			w.share(claim, x.name)
		} else if n := take(2); n != [2]int{} {
			claim = w.hold(site, n, x.name)
			before = []string{x.name}
			edit = append(edit, using(claim))
		}
		w.e.UpsertPod(pod(x.name, group, int64(cores), 0, edit...))
	}
}

// share lets one more pod hold the claim that was written last.
func (w *ward) share(claim, holder string) {
	last := w.held[len(w.held)-1]
	site := &w.sites[last.site]
	for m, n := range last.devices {
		site.used[m] -= n
	}
	w.held = w.held[:len(w.held)-1]
	w.hold(last.site, last.devices, append(last.holders, holder)...)
}

func (w *ward) drawWaiting(t *rapid.T) {
	n := rapid.IntRange(1, 4).Draw(t, "members")
	w.quorum = rapid.IntRange(1, n).Draw(t, "quorum")
	g := gang("high", int32(w.quorum), groupPriority(10))
	if w.inZone = rapid.IntRange(0, 2).Draw(t, "one zone") == 0; w.inZone {
		inOne(zone)(g)
	}
	w.e.UpsertGroup(g)
	alike := rapid.Bool().Draw(t, "alike")
	var a wardAsk
	for i := range n {
		if i == 0 || !alike {
			a = wardAsk{rapid.IntRange(0, 2).Draw(t, "asks cores"), rapid.IntRange(0, 2).Draw(t, "class"), rapid.IntRange(0, 2).Draw(t, "count")}
		}
		w.waiting = append(w.waiting, a)
		name := fmt.Sprint("high-", i)
		edit := []func(*corev1.Pod){priority(10)}
		if a.count > 0 {
			c := rclaim("claim-"+name, name, ask([]string{"a", "b", "any"}[a.model], int64(a.count)))
			w.e.UpsertResourceClaim(c)
			edit = append(edit, fromTemplate(c.Name))
		}
		w.e.UpsertPod(pod(name, "high", int64(a.cores), 0, edit...))
	}
}
