package measure

import (
	"fmt"
	"math/bits"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/oracle"
)

// TestNeededEqualsTryingEverySet: on small clusters no set of victims smaller than needed makes room, by the oracle's own
// word, and where needed says it is exact one of its size does.
func TestNeededEqualsTryingEverySet(t *testing.T) {
	exact, known := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		b := historytest.New()
		n := rapid.IntRange(1, 3).Draw(t, "nodes")
		free := make([]int, n)
		for i := range n {
			free[i] = rapid.IntRange(1, 6).Draw(t, "gpus")
			b.Nodes(1, gpuNode(free[i]))
		}
		var victims []string
		for i := range rapid.IntRange(1, 7).Draw(t, "victims") {
			at, size := rapid.IntRange(0, n-1).Draw(t, "at"), rapid.IntRange(1, 3).Draw(t, "size")
			if free[at] < size {
				continue
			}
			free[at] -= size
			name := fmt.Sprintf("v%d", i)
			priority := rapid.SampledFrom([]int32{0, 0, 0, 9}).Draw(t, "priority")
			b.Pod(name, "", gpus(size), high(priority)).Bind(name, fmt.Sprintf("node-%d", at))
			if priority == 0 {
				victims = append(victims, name)
			}
		}
		if len(victims) == 0 {
			return
		}
		quorum := rapid.IntRange(1, 3).Draw(t, "quorum")
		b.Gang("g", int32(quorum), historytest.GangPriority(9)).Pods("g", quorum, gpus(rapid.IntRange(1, 4).Draw(t, "each")), high(9))
		tape := tapeOf(t, b)
		fewest := smallestSet(t, tape.View, victims, quorum)
		b.Deleting(victims...).Gone(victims...)
		for i := range quorum {
			b.Bind(fmt.Sprintf("g-%d", i), "node-0") // where does not matter to what was needed
		}
		e := evictions(tapeOf(t, b))
		switch {
		case e == nil || e.Made != len(victims):
			t.Fatalf("%+v; %d were evicted", e, len(victims))
		case fewest < 0:
			if e.Needed != nil && e.Exact {
				t.Fatalf("%d needed; no set makes room", *e.Needed)
			}
		case e.Needed == nil:
			t.Fatalf("%s; %d are enough", e.NeededWhy, fewest)
		case *e.Needed > fewest || e.Exact && *e.Needed != fewest:
			t.Fatalf("%d needed (exact %v); the smallest set is %d", *e.Needed, e.Exact, fewest)
		default:
			known++
			if e.Exact {
				exact++
			}
		}
	})
	if known == 0 || exact*10 < known*9 {
		t.Errorf("only %d of %d were exact", exact, known)
	}
}

// smallestSet of the named pods whose going lets the gang fit; −1 where none does.
func smallestSet(t *rapid.T, v *history.View, victims []string, quorum int) int {
	best := -1
	var members []*corev1.Pod
	for _, p := range v.Members("g") {
		members = append(members, p.First)
	}
	for set := range 1 << len(victims) {
		size := bits.OnesCount(uint(set))
		if best >= 0 && size >= best {
			continue
		}
		gone := map[string]bool{}
		for i, name := range victims {
			gone[name] = set>>i&1 == 1
		}
		var nodes []oracle.Node
		for _, n := range v.Nodes {
			var on []*corev1.Pod
			for _, p := range v.PodsOn(n.Name, v.Now()) {
				if !gone[p.Name] {
					on = append(on, p.First)
				}
			}
			nodes = append(nodes, oracle.NodeOf(n.Object[0].Value, on...))
		}
		ok, err := oracle.Feasible(nodes, members, quorum)
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			best = size
		}
	}
	return best
}

// TestFewestDomainsEqualsTryingEverySet: no smaller set of racks has room for the gang.
func TestFewestDomainsEqualsTryingEverySet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var layout [][]int
		for range rapid.IntRange(1, 5).Draw(t, "racks") {
			layout = append(layout, rapid.SliceOfN(rapid.IntRange(1, 4), 1, 3).Draw(t, "rack"))
		}
		n, each := rapid.IntRange(1, 8).Draw(t, "members"), rapid.IntRange(1, 3).Draw(t, "each")
		b := racks(layout...)
		b.Gang("g", int32(n)).Pods("g", n, gpus(each))
		v := tapeOf(t, b).View
		got, err := fewestDomains(v.StateAt(v.Now()), v.Members("g"), "rack")
		if err != nil {
			t.Fatal(err)
		}
		best := 0
		for set := 1; set < 1<<len(layout); set++ {
			room := 0
			for r, nodes := range layout {
				for _, size := range nodes {
					if set>>r&1 == 1 {
						room += size / each
					}
				}
			}
			if k := bits.OnesCount(uint(set)); room >= n && (best == 0 || k < best) {
				best = k
			}
		}
		if got != best {
			t.Fatalf("%d racks; trying all gives %d", got, best)
		}
	})
}

// TestPartialEqualsLookingEveryMillisecond: on random stories of one gang, the time in part and what was held in it are
// those found by looking at every millisecond.
func TestPartialEqualsLookingEveryMillisecond(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quorum := rapid.IntRange(1, 4).Draw(t, "quorum")
		b := settled().Nodes(1, gpuNode(100)).Gang("g", int32(quorum)).Pods("g", 6, gpus(2))
		waiting, bound := []int{0, 1, 2, 3, 4, 5}, []int{}
		for range rapid.IntRange(0, 12).Draw(t, "steps") {
			b.Wait(ms(rapid.IntRange(0, 20).Draw(t, "wait")))
			switch {
			case rapid.Bool().Draw(t, "bind") && len(waiting) > 0:
				b.Bind(fmt.Sprintf("g-%d", waiting[0]), "node-0")
				bound, waiting = append(bound, waiting[0]), waiting[1:]
			case len(bound) > 0:
				name := fmt.Sprintf("g-%d", bound[0])
				if rapid.Bool().Draw(t, "finish") {
					b.Finish(corev1.PodSucceeded, name)
				} else {
					b.Deleting(name)
				}
				bound = bound[1:]
			}
		}
		tape := tapeOf(t, b.Wait(ms(7)))
		p := partial(tape, gpu)
		var held, now, longest time.Duration
		met := false
		for at := time.Duration(0); at < tape.View.Now().Mono && !met; at += time.Millisecond {
			count, holding := 0, 0
			for _, m := range tape.View.Members("g") {
				in := func(s history.Stamp) bool { return !s.IsZero() && s.Mono <= at }
				if in(m.Bound) && (!in(m.Deleting) || in(m.Finished) && m.Finished.Before(m.Deleting)) {
					count++
					if !in(m.Finished) {
						holding++
					}
				}
			}
			met = count >= quorum
			if count > 0 && !met {
				held += time.Duration(2*holding) * time.Millisecond
				now += time.Millisecond
				longest = max(longest, now)
			} else {
				now = 0
			}
		}
		if p.Longest != longest || !near(p.GPUSeconds, held.Seconds()) || (p.InFlight > 0) != (longest > 0) {
			t.Fatalf("%+v; looking gives %v at a stretch and %v GPU-seconds", p, longest, held.Seconds())
		}
	})
}

// A view of a whole history, without a scenario's bounds, is measured from its first pod on.
func TestWholeHistory(t *testing.T) {
	h := historytest.New().Nodes(1, gpuNode(4)).Wait(time.Minute).Pod("p", "", gpus(2)).Wait(ms(999)).Bind("p", "node-0").Wait(time.Second).History()
	tape := NewTape(h, history.NewView(h, nil, history.Scope{}))
	r := Of(tape, Options{Plan: Plan{Pods: 1, Arrival: OpenLoop}})
	if r.Throughput.Bound != 1 || r.Throughput.WholeRun != time.Second || r.Load.Pods != 1 || r.Validity.Has(Interrupted) {
		t.Errorf("%+v", r)
	}
	from, _ := tape.span()
	if from != tape.View.Pod("p").Created.Mono {
		t.Errorf("measured from %v", from)
	}
}
