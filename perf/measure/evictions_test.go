package measure

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"muster/suites/history/historytest"
)

func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func high(p int32) historytest.PodOption { return historytest.Priority(p) }

func TestEvictions(t *testing.T) {
	// One node of 4 GPUs with four pods of one each: 3…6 ms, bound 7…10. The gang (priority 9, two pods of one GPU) is
	// whole at 1013 ms. At 2014 and 2015 two pods are marked, at 2116 and 2117 gone; a third goes at 2118 and 2119. The
	// gang is bound at 3120 and 3121.
	b := historytest.New().Nodes(1, gpuNode(4)).
		Pod("a", "", gpus(1)).Pod("b", "", gpus(1)).Pod("c", "", gpus(1)).Pod("d", "", gpus(1)).BindAll("node-0", "a", "b", "c", "d").
		Wait(ms(1000)).Gang("g", 2, historytest.GangPriority(9)).Pods("g", 2, gpus(1), high(9)).
		Wait(ms(1000)).Deleting("a", "b").Wait(ms(100)).Gone("a", "b").Deleting("c").Gone("c").
		Wait(ms(1000)).Bind("g-0", "node-0").Bind("g-1", "node-0")
	e := evictions(tapeOf(t, b))
	if e == nil || e.Made != 3 || value(e.Needed) != 2 || !e.Exact || e.NeededWhy != "" {
		t.Fatalf("%+v: three evicted where two had to be", e)
	}
	if value(e.ToFirst) != ms(2014-1013) || value(e.ToLast) != ms(2118-1013) || value(e.ToRoom) != ms(2119-1013) || e.Reclaim.Count != 1 || e.Reclaim.Max != ms(3121-1013) {
		t.Errorf("to the first %v, to the last %v, to room %v, reclaim %+v", value(e.ToFirst), value(e.ToLast), value(e.ToRoom), e.Reclaim)
	}
}

// Those of a burst come while others already evict, and room is made for them as for the first.
func TestLateClaimants(t *testing.T) {
	// One node of 4 GPUs with four pods of one each. x is there at 1011 ms and a goes for it at 1012; y comes at 1013 and b
	// goes for it at 1014; late comes when nothing is evicted any more, and low outranks nobody. Then x, y and late are bound.
	b := historytest.New().Nodes(1, gpuNode(4)).
		Pod("a", "", gpus(1)).Pod("b", "", gpus(1)).Pod("c", "", gpus(1)).Pod("d", "", gpus(1)).BindAll("node-0", "a", "b", "c", "d").
		Wait(ms(1000)).Pod("x", "", gpus(1), high(9)).Deleting("a").Pod("y", "", gpus(1), high(9)).Pod("low", "", gpus(1)).
		Deleting("b").Gone("a", "b").Pod("late", "", gpus(1), high(9)).
		Wait(ms(1000)).Bind("x", "node-0").Bind("y", "node-0")
	e := evictions(tapeOf(t, b))
	if e == nil || e.Made != 2 || value(e.Needed) != 2 || !e.Exact || e.Reclaim.Count != 2 {
		t.Fatalf("%+v, needed %v: two evicted for two", e, value(e.Needed))
	}
	// x: 1011 to 2019; y: 1013 to 2020.
	if e.Reclaim.Max != ms(2019-1011) || e.Reclaim.Min != ms(2020-1013) || value(e.ToFirst) != ms(1) {
		t.Errorf("reclaim %+v, to the first %v", e.Reclaim, value(e.ToFirst))
	}
	// A gang that comes late counts with all its members.
	b = historytest.New().Nodes(1, gpuNode(3)).Pod("a", "", gpus(1)).Pod("b", "", gpus(1)).Pod("c", "", gpus(1)).BindAll("node-0", "a", "b", "c").
		Pod("x", "", gpus(1), high(9)).Deleting("a").Gang("g", 2, historytest.GangPriority(9)).Pods("g", 2, gpus(1), high(9)).
		Deleting("b", "c").Gone("a", "b", "c").BindAll("node-0", "x", "g-0", "g-1")
	if e := evictions(tapeOf(t, b)); e == nil || e.Made != 3 || value(e.Needed) != 3 || e.Reclaim.Count != 2 {
		t.Errorf("%+v, needed %v: three evicted for a pod and a gang of two", e, value(e.Needed))
	}
}

func TestWhatIsNoEviction(t *testing.T) {
	three := func() *historytest.Builder {
		return historytest.New().Nodes(1).Pod("a", "").Pod("b", "").Bind("a", "node-0") // 2…5 ms
	}
	tests := []struct {
		name  string
		story *historytest.Builder
		extra []extra
		want  int
	}{
		{"never bound", three().Deleting("b").Gone("b"), nil, 0},
		{"finished before", three().Finish("Succeeded", "a").Deleting("a").Gone("a"), nil, 0},
		{"the driver deleted it", three().Wait(ms(99)).Deleting("a").Gone("a"), []extra{deletedByDriver(ms(100), "a")}, 0},
		{"the driver came too late", three().Wait(ms(99)).Deleting("a").Gone("a"), []extra{deletedByDriver(ms(200), "a")}, 1},
		{"the driver deleted another", three().Wait(ms(99)).Deleting("a").Gone("a"), []extra{deletedByDriver(ms(100), "b")}, 1},
		{"nothing was deleted", three(), nil, 0},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			tape := tapeOf(t, tc.story.Wait(time.Minute), tc.extra...)
			got := evictions(tape)
			if tc.want == 0 && got != nil || tc.want > 0 && (got == nil || got.Made != tc.want) {
				t.Errorf("%+v; want %d", got, tc.want)
			}
		})
	}
}

func TestNeeded(t *testing.T) {
	// Two nodes of 4 GPUs: node-0 with two pods of 2, node-1 with four of 1; each story's preemptor comes then.
	full := func() *historytest.Builder {
		b := historytest.New().Nodes(2, gpuNode(4), historytest.NodeLabel("rack", "r"))
		for _, p := range []string{"big-0", "big-1"} {
			b.Pod(p, "", gpus(2)).Bind(p, "node-0")
		}
		for _, p := range []string{"small-0", "small-1", "small-2", "small-3"} {
			b.Pod(p, "", gpus(1)).Bind(p, "node-1")
		}
		return b
	}
	gang := func(b *historytest.Builder, quorum int32, each int, opts ...historytest.GangOption) *historytest.Builder {
		b.Gang("g", quorum, append(opts, historytest.GangPriority(9))...).Pods("g", int(quorum), gpus(each), high(9))
		b.Deleting("small-0").Gone("small-0").Deleting("big-0").Gone("big-0")
		for i := range int(quorum) {
			b.Bind([]string{"g-0", "g-1", "g-2", "g-3"}[i], "node-0")
		}
		return b
	}
	tests := []struct {
		name  string
		story *historytest.Builder
		want  int
		exact bool
		why   error
	}{
		{"the big ones are the cheaper", gang(full(), 2, 2), 2, true, nil},
		{"one of one", gang(full(), 1, 1), 1, true, nil},
		{"two of one fit where a big one goes", gang(full(), 2, 1), 1, true, nil},
		{"a whole node", gang(full(), 1, 4), 2, true, nil},
		{"more than there is", gang(full(), 3, 4), 0, false, errNoRoom},
		{"in one domain", gang(full(), 2, 2, historytest.OneDomain("rack")), 2, true, nil},
		{"in a domain that no node has", gang(full(), 2, 2, historytest.OneDomain("zone")), 0, false, errNoRoom},
		{"nobody was placed", full().Gang("g", 1, historytest.GangPriority(9)).Pods("g", 1, gpus(1), high(9)).Deleting("big-0"), 0, false, errNobodyPlaced},
		{"nobody waited", full().Deleting("big-0").Gone("big-0"), 0, false, errNobodyPlaced},
		{"different shapes", full().Pod("x", "", gpus(1), high(9)).Pod("y", "", gpus(2), high(9)).Deleting("big-0").Gone("big-0").
			Bind("x", "node-0").Deleting("big-1").Gone("big-1").Bind("y", "node-0"), 0, false, errMixed},
		{"two plain pods", full().Pod("x", "", gpus(2), high(9)).Pod("y", "", gpus(2), high(9)).Deleting("big-0").Gone("big-0").
			Bind("x", "node-0").Deleting("big-1").Gone("big-1").Bind("y", "node-0"), 2, true, nil},
		{"of different priority: a bound", full().Pod("x", "", gpus(2), high(9)).Pod("y", "", gpus(2), high(8)).Deleting("big-0").Gone("big-0").
			Bind("x", "node-0").Deleting("big-1").Gone("big-1").Bind("y", "node-0"), 2, false, nil},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			e := evictions(tapeOf(t, tc.story))
			if e == nil {
				t.Fatal("nothing evicted")
			}
			if tc.why != nil {
				if e.Needed != nil || e.NeededWhy != tc.why.Error() {
					t.Errorf("%v %q; want %q", value(e.Needed), e.NeededWhy, tc.why)
				}
				return
			}
			if e.Needed == nil || *e.Needed != tc.want || e.Exact != tc.exact {
				t.Errorf("%v, exact %v (%s); want %d, %v", value(e.Needed), e.Exact, e.NeededWhy, tc.want, tc.exact)
			}
		})
	}
}

// A node that the preemptors may not use is no way out, however cheap.
func TestNeededKnowsWhereTheyMayGo(t *testing.T) {
	b := historytest.New().Nodes(1, gpuNode(4), historytest.NodeLabel("kind", "a")).Nodes(1, gpuNode(4), historytest.NodeLabel("kind", "b")).
		Pod("a-0", "", gpus(2)).Pod("a-1", "", gpus(2)).Pod("b-0", "", gpus(4)).
		BindAll("node-0", "a-0", "a-1").Bind("b-0", "node-1").
		Pod("x", "", gpus(4), high(9), func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{"kind": "a"} }).
		Deleting("a-0").Gone("a-0").Deleting("a-1").Gone("a-1").Bind("x", "node-0")
	if e := evictions(tapeOf(t, b)); e == nil || value(e.Needed) != 2 || !e.Exact {
		t.Errorf("%+v; two on node-0, although one on node-1 would have been cheaper", e)
	}
}

// Two members with the same host port need two nodes, whatever is free on one.
func TestNeededKnowsHostPorts(t *testing.T) {
	port := func(p *corev1.Pod) {
		p.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 8080}}
	}
	b := historytest.New().Nodes(2, gpuNode(2)).
		Pod("a", "", gpus(2)).Pod("b", "", gpus(1)).Pod("c", "", gpus(1)).Bind("a", "node-0").BindAll("node-1", "b", "c").
		Gang("g", 2, historytest.GangPriority(9)).Pods("g", 2, gpus(1), high(9), port).
		Deleting("a").Gone("a").Deleting("b").Gone("b").Bind("g-0", "node-0").Bind("g-1", "node-1")
	if e := evictions(tapeOf(t, b)); e == nil || value(e.Needed) != 2 || !e.Exact {
		t.Errorf("%+v; want 2", e)
	}
}
