package engine_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"muster/scheduler/engine"
)

// query is a gang of a priority above all others, so that whoever runs may be its victim.
type query struct {
	members, cores int
	class          string // of the device each member asks for; none if empty
	shared         string // of a device that all members share; none if empty
	gpus           int    // of which there are none
	together       bool   // in one zone
}

// sameAnew asks the engine that has lived through everything, and engines that are told what there is, in any order, who
// would be evicted for whom, which nodes would be taken and what is said where nothing helps. All answers must be the same: they
// follow from the objects, not from what happened to be heard when.
func (w *bazaar) sameAnew(t *rapid.T) {
	var queries []query
	for range rapid.IntRange(1, 3).Draw(t, "queries") {
		q := query{members: rapid.IntRange(1, 5).Draw(t, "members"), cores: rapid.IntRange(1, 2).Draw(t, "cores"), gpus: rapid.IntRange(-3, 1).Draw(t, "gpus"),
			together: rapid.Bool().Draw(t, "together")}
		if w.devices {
			q.class = rapid.SampledFrom([]string{"", "any", "a", "b"}).Draw(t, "class")
			q.shared = rapid.SampledFrom([]string{"", "", "any", "a"}).Draw(t, "shared")
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
		g := gang(name, int32(q.members), groupPriority(9))
		if q.together {
			inOne(zone)(g)
		}
		e.UpsertGroup(g)
		var claims []string
		claim := func(name, class string) (out []string) {
			if class != "" {
				e.UpsertResourceClaim(rclaim(name, "", ask(class, 1)))
				claims, out = append(claims, name), append(out, name)
			}
			return out
		}
		shared := claim(name, q.shared)
		for m := range q.members {
			p := pod(fmt.Sprintf("%s-%d", name, m), name, int64(q.cores), int64(q.gpus), priority(9))
			using(append(claim(p.Name, q.class), shared...)...)(p)
			e.UpsertPod(p)
		}
		r := root(engine.KindPodGroup, name)
		d, p := e.Solve(r), e.Preempt(r)
		fmt.Fprintf(&b, "%+v: %s%s (%s); %s of %v with %v (%v), for%s (%s); %v\n", q, d.Outcome, seats(d.Placements), d.Reason,
			p.Kind, victims(p), p.Groups, p.Cost, seats(p.Placements), p.Why, e.Explain(r))
		e.DeleteGroup(r.Key)
		for m := range q.members {
			e.DeletePod(engine.Key{Namespace: ns, Name: fmt.Sprintf("%s-%d", name, m)})
		}
		for _, c := range claims {
			e.DeleteResourceClaim(engine.Key{Namespace: ns, Name: c})
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

// TestWhatVictimsAskedForDoesNotCount: three pods of one size, one of which waited with a claim once. Who sees them for the
// first time when all have nodes names the same two.
func TestWhatVictimsAskedForDoesNotCount(t *testing.T) {
	claims := map[string]*resourceapi.ResourceClaim{"p6": rclaim("p6", "", ask("a", 1))}
	pods := []*corev1.Pod{pod("p5", "", 2, 0), pod("p6", "", 2, 0, using("p6")), pod("p7", "", 2, 0)}
	tell := func() *engine.Engine {
		e := engine.New(engine.Options{})
		addClasses(e)
		e.UpsertNode(node("n0", 6, 0))
		e.UpsertResourceSlice(slice("pool-n0", "n0", devs(1, "a")...))
		e.UpsertResourceClaim(claims["p6"])
		for _, p := range pods {
			e.UpsertPod(p)
		}
		return e
	}
	e := tell()
	for _, p := range pods {
		d := e.Solve(root(engine.KindPod, p.Name))
		expect(t, d, engine.Placed, 1)
		write(e, claims, d)
		bind("n0")(p)
		e.UpsertPod(p)
	}
	want, got := e.Preempt(attacker(e, 4, 4, 1)), tell()
	if p := got.Preempt(attacker(got, 4, 4, 1)); want.Kind != engine.Evict || victims(p) != victims(want) {
		t.Errorf("who saw them wait: %s of %s; who did not: %s of %s", want.Kind, victims(want), p.Kind, victims(p))
	}
}

// TestTheYoungerGo: of two pods on two nodes that differ in nothing else.
func TestTheYoungerGo(t *testing.T) {
	for _, younger := range []string{"a", "b"} {
		e := engine.New(engine.Options{})
		for _, n := range []string{"a", "b"} {
			e.UpsertNode(node(n, 1, 0))
			p := pod("on-"+n, "", 1, 0, bind(n))
			if n == younger {
				p.CreationTimestamp = metav1.Unix(60, 0)
			} else {
				p.CreationTimestamp = metav1.Unix(30, 0)
			}
			e.UpsertPod(p)
		}
		if p := e.Preempt(attacker(e, 1, 1, 1)); victims(p) != "on-"+younger {
			t.Errorf("the younger is on-%s; %s of %s", younger, p.Kind, victims(p))
		}
	}
}
