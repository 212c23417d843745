package measure

import (
	"testing"
	"time"

	"muster/suites/history/historytest"
)

// wave creates two gangs of two pods that ask for half a node of 4 each, and binds so many of them, slowly or at once; then
// all end, and what was not bound is deleted.
func wave(b *historytest.Builder, name string, bound int, each time.Duration) *historytest.Builder {
	b.Mark(MarkPhase + name)
	gangs := []string{name + "-a", name + "-b"}
	for _, g := range gangs {
		b.Gang(g, 2).Pods(g, 2, gpus(2))
	}
	for i, g := range gangs {
		pods := []string{g + "-0", g + "-1"}
		if i >= bound {
			b.DriverDelete(pods...)
			continue
		}
		for _, p := range pods {
			b.Wait(each).Bind(p, map[int]string{0: "node-0", 1: "node-1"}[i])
		}
		b.Finish("Succeeded", pods...)
	}
	return b
}

func TestFit(t *testing.T) {
	cluster := func() *historytest.Builder { return historytest.New().Nodes(2, gpuNode(4)).Mark(MarkMeasured) }
	all := func(b *historytest.Builder, bound ...int) *historytest.Builder {
		for i, n := range bound {
			wave(b, []string{"w1", "w2", "w3"}[i], n, 0)
		}
		return b
	}
	optima := []int64{8, 8, 8}
	placed := func(name string, b *historytest.Builder) *historytest.Builder {
		// Both gangs of a wave stand at the same time, for as long as it takes.
		b.Mark(MarkPhase + name)
		for i, g := range []string{name + "-a", name + "-b"} {
			b.Gang(g, 2).Pods(g, 2, gpus(2)).BindAll([]string{"node-0", "node-1"}[i], g+"-0", g+"-1")
		}
		for _, g := range []string{name + "-a", name + "-b"} {
			b.Finish("Succeeded", g+"-0", g+"-1").Wait(time.Minute)
		}
		return b
	}
	tests := []struct {
		name  string
		story *historytest.Builder
		want  float64
	}{
		{"every wave whole", placed("w3", placed("w2", placed("w1", cluster()))), 1},
		{"a wave that never came", placed("w2", placed("w1", cluster())), 2.0 / 3},
		{"half of one", all(placed("w2", placed("w1", cluster())).Mark(MarkPhase + "w3")), 2.0 / 3},
		{"one gang of each", all(cluster(), 1, 1, 1), 0.5},
		{"one gang, none, one", all(cluster(), 1, 0, 1), 1.0 / 3},
		{"nothing", cluster(), 0},
		// A gang below its quorum is of no use, however long it holds its node.
		{"part of a gang", cluster().Mark(MarkPhase+"w1").Gang("g", 2).Pods("g", 2, gpus(4)).Bind("g-0", "node-0").Wait(time.Hour), 0},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got := fit(tapeOf(t, tc.story), gpu, optima)
			if got == nil || len(got.Waves) != 3 || !near(got.Score, tc.want) {
				t.Errorf("%+v; want %v", got, tc.want)
			}
		})
	}
	if fit(tapeOf(t, cluster()), gpu, nil) != nil {
		t.Error("a load without an optimum has a score")
	}
}

// Who places everything at once scores better than who misses a gang and holds the rest for an hour.
func TestFitIsNotHowLong(t *testing.T) {
	quick := historytest.New().Nodes(1, gpuNode(4)).Mark(MarkPhase+"w").Gang("a", 1).Gang("b", 1).Pods("a", 1, gpus(1)).Pods("b", 1, gpus(3)).
		Wait(time.Second).BindAll("node-0", "a-0", "b-0").Finish("Succeeded", "a-0", "b-0")
	misses := historytest.New().Nodes(1, gpuNode(4)).Mark(MarkPhase+"w").Gang("a", 1).Gang("b", 1).Pods("a", 1, gpus(1)).Pods("b", 1, gpus(3)).
		Bind("b-0", "node-0").Wait(time.Hour).Finish("Succeeded", "b-0").DriverDelete("a-0")
	one, other := fit(tapeOf(t, quick), gpu, []int64{4}), fit(tapeOf(t, misses), gpu, []int64{4})
	if one.Score != 1 || other.Score != 0.75 {
		t.Errorf("%+v and %+v; want 1 and 0.75", one, other)
	}
}
