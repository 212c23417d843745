package scenario

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestPlace(t *testing.T) {
	node := Scenario{Nodes: 3}
	node.Node.CPU, node.Node.Memory, node.Node.Pods, node.Node.GPUs = "8", "8Gi", 4, 8
	for _, tc := range []struct {
		bound string
		shape Pods
		want  []int
	}{
		{"spread", Pods{GPUs: 4}, []int{0, 1, 2, 0, 1, 2}},
		{"pack", Pods{GPUs: 4}, []int{0, 0, 1, 1, 2, 2}},
		{"pack", Pods{CPU: "1"}, []int{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}},
	} {
		p, got := (&Sized{Scenario: node}).NewPlacer(), []int(nil)
		for {
			i, err := p.Place(tc.bound, tc.shape)
			if err != nil {
				if !errors.Is(err, ErrSize) {
					t.Error(err)
				}
				break
			}
			got = append(got, i)
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s %+v: %v; want %v", tc.bound, tc.shape, got, tc.want)
		}
	}
}

// Whatever is placed, no node holds more than it has, and nothing is refused that one node still has room for.
func TestPlaceFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Scenario{Nodes: rapid.IntRange(1, 5).Draw(t, "nodes")}
		s.Node.CPU, s.Node.Memory, s.Node.Pods, s.Node.GPUs = "8", "8Gi", 10, 8
		p, held := (&Sized{Scenario: s}).NewPlacer(), make([]int, s.Nodes)
		for range rapid.IntRange(1, 60).Draw(t, "pods") {
			n := rapid.IntRange(1, 8).Draw(t, "gpus")
			i, err := p.Place(rapid.SampledFrom([]string{"spread", "pack"}).Draw(t, "how"), Pods{GPUs: n})
			if err != nil {
				for node, h := range held {
					if h+n <= 8 && p.free[node][slots] > 0 {
						t.Fatalf("node %d holds %d and %d were refused", node, h, n)
					}
				}
				continue
			}
			if held[i] += n; held[i] > 8 {
				t.Fatalf("node %d holds %d of 8", i, held[i])
			}
		}
	})
}
