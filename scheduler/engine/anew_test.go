package engine_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	resourceapi "k8s.io/api/resource/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"pgregory.net/rapid"

	"muster/scheduler/engine"
)

// query is a gang of a priority above all others, so that whoever runs may be its victim.
type query struct {
	members, cores int
	class          string // of the device each member asks for; none if empty
	edit           []func(*schedulingv1beta1.PodGroup)
}

// sameAnew asks the engine that has lived through everything, and engines that are told what there is, in any order, who
// would be evicted for whom, which nodes would be taken and what is said where nothing helps. All answers must be the same: they
// follow from the objects, not from what happened to be heard when.
func (w *bazaar) sameAnew(t *rapid.T) {
	var queries []query
	for range rapid.IntRange(1, 3).Draw(t, "queries") {
		q := query{members: rapid.IntRange(1, 5).Draw(t, "members"), cores: rapid.IntRange(1, 2).Draw(t, "cores")}
		if w.devices {
			q.class = rapid.SampledFrom([]string{"", "any", "a", "b"}).Draw(t, "class")
		}
		if rapid.Bool().Draw(t, "in one") {
			q.edit = append(q.edit, inOne(zone))
		}
		queries = append(queries, q)
	}
	order := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0))
	anew := w.anew(order)
	want, got := w.replies(w.e, queries), w.replies(anew, queries)
	if want != got {
		t.Fatalf("after all that happened:\n%s\ntold anew:\n%s", want, got)
	}
	if err := anew.Check(); err != nil {
		t.Fatalf("told anew: %v", err)
	}
}

// anew is an engine that is told of everything there is, in an order of its own.
func (w *bazaar) anew(order *rand.Rand) *engine.Engine {
	e := engine.New(w.opts)
	addClasses(e)
	var news []func()
	for _, name := range slices.Sorted(maps.Keys(w.nodes)) {
		news = append(news, func() { e.UpsertNode(w.nodes[name]) })
	}
	for _, name := range slices.Sorted(maps.Keys(w.slices)) {
		news = append(news, func() { e.UpsertResourceSlice(w.slices[name]) })
	}
	for _, name := range slices.Sorted(maps.Keys(w.groups)) {
		news = append(news, func() { e.UpsertGroup(w.groups[name]) })
	}
	for _, name := range slices.Sorted(maps.Keys(w.claims)) {
		news = append(news, func() { e.UpsertResourceClaim(w.claims[name]) })
	}
	for _, name := range slices.Sorted(maps.Keys(w.pods)) {
		news = append(news, func() { e.UpsertPod(w.pods[name]) })
	}
	order.Shuffle(len(news), func(i, j int) { news[i], news[j] = news[j], news[i] })
	for _, tell := range news {
		tell()
	}
	return e
}

// replies are what an engine says to queries, one after the other.
func (w *bazaar) replies(e *engine.Engine, queries []query) string {
	var b strings.Builder
	for i, q := range queries {
		name := fmt.Sprint("query-", i)
		e.UpsertGroup(gang(name, int32(q.members), append(q.edit, groupPriority(9))...))
		for m := range q.members {
			p := pod(fmt.Sprintf("%s-%d", name, m), name, int64(q.cores), 0, priority(9))
			if q.class != "" {
				using(p.Name)(p)
				e.UpsertResourceClaim(rclaim(p.Name, "", ask(q.class, 1)))
			}
			e.UpsertPod(p)
		}
		r := root(engine.KindPodGroup, name)
		d, p := e.Solve(r), e.Preempt(r)
		fmt.Fprintf(&b, "%d of %d cores, device %q, constrained %v: %s%s (%s); %s of %v with %v (%v), for%s (%s); %v\n", q.members, q.cores, q.class, len(q.edit) > 0,
			d.Outcome, seats(d.Placements), d.Reason, p.Kind, victims(p), p.Groups, p.Cost, seats(p.Placements), p.Why, e.Explain(r))
		e.DeleteGroup(r.Key)
		for m := range q.members {
			k := engine.Key{Namespace: ns, Name: fmt.Sprintf("%s-%d", name, m)}
			e.DeletePod(k)
			if q.class != "" {
				e.DeleteResourceClaim(k)
			}
		}
	}
	return b.String()
}

// seats are pods, their nodes and their devices.
func seats(list []engine.Placement) string {
	var b strings.Builder
	for _, pl := range list {
		fmt.Fprintf(&b, " %s on %s", pl.Pod.Name, pl.Node)
		for _, c := range pl.Devices {
			b.WriteString(" with" + given(c.Allocation))
		}
	}
	return b.String()
}

func given(a *resourceapi.AllocationResult) string {
	var b strings.Builder
	for _, r := range a.Devices.Results {
		fmt.Fprintf(&b, " %s/%s", r.Pool, r.Device)
	}
	return b.String()
}
