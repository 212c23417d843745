package measure

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"muster/suites/history/historytest"
)

// racks of nodes with a number of GPUs each: node-0 … in order.
func racks(gpusOf ...[]int) *historytest.Builder {
	b := historytest.New()
	for r, nodes := range gpusOf {
		for _, n := range nodes {
			b.Nodes(1, gpuNode(n), historytest.NodeLabel("rack", fmt.Sprintf("r%d", r)))
		}
	}
	return b
}

func bindGang(b *historytest.Builder, name string, each int, nodes ...int) *historytest.Builder {
	b.Gang(name, int32(len(nodes))).Pods(name, len(nodes), gpus(each))
	for i, n := range nodes {
		b.Bind(fmt.Sprintf("%s-%d", name, i), fmt.Sprintf("node-%d", n))
	}
	return b
}

func TestTopology(t *testing.T) {
	tests := []struct {
		name                    string
		story                   *historytest.Builder
		spanned, best, undecide int
		score                   float64
	}{
		{"in one rack", bindGang(racks([]int{2, 2}, []int{2, 2}), "g", 1, 0, 0, 1, 1), 1, 1, 0, 1},
		{"over two where one had room", bindGang(racks([]int{2, 2}, []int{2, 2}), "g", 1, 0, 1, 2, 3), 2, 1, 0, 0.5},
		{"over two where no one had room", bindGang(racks([]int{2, 1}, []int{2, 1}), "g", 1, 0, 0, 1, 2), 2, 2, 0, 1},
		{"three small racks where two large ones had room",
			bindGang(racks([]int{1}, []int{1}, []int{2}, []int{2}), "g", 1, 0, 1, 2, 2), 3, 2, 0, 2.0 / 3},
		{"room that others held does not count", // node-0 and node-1 are taken
			bindGang(bindGang(racks([]int{2, 2}, []int{1}, []int{1}), "old", 2, 0, 1), "g", 1, 2, 3), 3, 3, 0, 1},
		{"a node without the label is no rack", bindGang(historytest.New().Nodes(1, gpuNode(4)), "g", 1, 0, 0), 0, 0, 1, 0},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got := topology(tapeOf(t, tc.story), "rack", 50)
			if got == nil || got.Spanned != tc.spanned || got.Best != tc.best || got.Undecided != tc.undecide || !near(got.Score, tc.score) {
				t.Errorf("%+v; want %d spanned, best %d, score %v", got, tc.spanned, tc.best, tc.score)
			}
		})
	}
	if got := topology(tapeOf(t, racks([]int{1})), "rack", 50); got != nil {
		t.Errorf("no gang, yet %+v", got)
	}
}

func TestTopologyLooksAtAFewGangsEvenly(t *testing.T) {
	b := racks([]int{9, 9}, []int{9})
	for i := range 9 {
		bindGang(b, fmt.Sprintf("g%d", i), 1, i%2, 2*(i/8)) // the last one over two racks
	}
	got := topology(tapeOf(t, b), "rack", 3)
	if got.Gangs != 9 || got.Looked != 3 || got.Worst != "test/g8" || got.Optimal != 2 {
		t.Errorf("%+v", got)
	}
}

func TestSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, most := rapid.IntRange(1, 300).Draw(t, "n"), rapid.IntRange(1, 60).Draw(t, "most")
		list := make([]int, n)
		for i := range list {
			list[i] = i
		}
		got := spread(list, most)
		if len(got) != min(n, most) || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Fatalf("%d of %d: %v", most, n, got)
		}
		if most > 1 && (got[0] != 0 || got[len(got)-1] != n-1) {
			t.Fatalf("the ends are missing: %v", got)
		}
	})
}
