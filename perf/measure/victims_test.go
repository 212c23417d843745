package measure

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestFewestVictims(t *testing.T) {
	ten := func(size int64) [][]int64 { return slices.Repeat([][]int64{{size, 1}}, 10) }
	tests := []struct {
		name       string
		free, want []int64
		victims    [][]int64
		limit      int
		costs      []int
		exact      bool
	}{
		{"nothing to do", []int64{10, 5}, []int64{2, 1}, nil, 3, []int{0, 0, 0, 0}, true},
		{"nothing can be done", []int64{1, 5}, []int64{2, 1}, nil, 3, []int{0}, true},
		{"upstream's node: all ten must go", []int64{3600, 100}, []int64{3970, 1}, ten(40), 1, []int{0, 10}, true},
		{"a slot is short, not an amount", []int64{100, 0}, []int64{1, 1}, [][]int64{{1, 1}, {5, 1}}, 2, []int{0, 1, 2}, true},
		{"one big victim beats two small ones", []int64{0, 10}, []int64{4, 1}, [][]int64{{2, 1}, {2, 1}, {4, 1}}, 2, []int{0, 1, 3}, true},
		{"too many to try: a bound", []int64{0, 99}, []int64{3, 1}, append(slices.Repeat([][]int64{{1, 1}}, 12), []int64{2, 1}), 2, []int{0, 2, 5}, false},
		{"two resources", []int64{0, 0, 9}, []int64{2, 2, 1}, [][]int64{{2, 0, 1}, {0, 2, 1}, {1, 1, 1}, {1, 1, 1}}, 1, []int{0, 2}, true},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			costs, exact := fewestVictims(tc.free, tc.want, tc.victims, tc.limit)
			if !slices.Equal(costs, tc.costs) || exact != tc.exact {
				t.Errorf("%v (exact %v); want %v (%v)", costs, exact, tc.costs, tc.exact)
			}
		})
	}
}

// TestNoCombinationIsCheaper: whatever set of victims makes room, fewestVictims says at most its size; and where it is
// exact, there is such a set.
func TestNoCombinationIsCheaper(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := rapid.Int64Range(0, 6)
		want := []int64{amount.Draw(t, "a"), amount.Draw(t, "b"), 1}
		free := []int64{amount.Draw(t, "free a"), amount.Draw(t, "free b"), amount.Draw(t, "slots")}
		victims := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) []int64 {
			return []int64{amount.Draw(t, "va"), amount.Draw(t, "vb"), 1}
		}), 0, 8).Draw(t, "victims")
		limit := rapid.IntRange(1, 4).Draw(t, "limit")
		naive := slices.Repeat([]int{math.MaxInt}, limit+1)
		for set := range 1 << len(victims) {
			left := slices.Clone(free)
			for i, v := range victims {
				if set>>i&1 == 1 {
					for j := range v {
						left[j] += v[j]
					}
				}
			}
			for c := 0; c <= limit && c <= fitting(left, want); c++ {
				naive[c] = min(naive[c], bits.OnesCount(uint(set)))
			}
		}
		costs, exact := fewestVictims(free, want, victims, limit)
		for c, k := range costs {
			if k > naive[c] || exact && k != naive[c] {
				t.Fatalf("%d copies: %d victims (exact %v); the best set has %d", c, k, exact, naive[c])
			}
		}
		if exact && len(costs) <= limit && naive[len(costs)] != math.MaxInt {
			t.Fatalf("%d copies were possible; only %v known", len(costs), costs)
		}
		// The bound used for larger nodes never exceeds the truth.
		for c := 1; c <= limit; c++ {
			if k, ok := eachResource(free, want, victims, int64(c)); naive[c] != math.MaxInt && (!ok || k > naive[c]) {
				t.Fatalf("the bound says %d (%v) for %d copies; the truth is %d", k, ok, c, naive[c])
			}
		}
	})
}

func TestCheapest(t *testing.T) {
	tests := []struct {
		name  string
		sites [][]int
		total int
		want  int
		ok    bool
	}{
		{"free room first", [][]int{{0, 5}, {0, 0, 0}, {0, 1}}, 3, 1, true},
		{"one site's two beat two sites' one", [][]int{{0, 3}, {0, 3}, {0, 4, 5}}, 2, 5, true},
		{"not enough", [][]int{{0, 1}, {0, 1}}, 3, 0, false},
		{"nothing wanted", nil, 0, 0, true},
		{"more than wanted may be the cheapest", [][]int{{0, 9, 9, 2}}, 1, 2, true},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if got, ok := cheapest(tc.sites, tc.total); ok != tc.ok || ok && got != tc.want {
				t.Errorf("%d, %v; want %d, %v", got, ok, tc.want, tc.ok)
			}
		})
	}
}

func TestCheapestEqualsTryingAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sites := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) []int {
			return append([]int{0}, rapid.SliceOfN(rapid.IntRange(0, 9), 0, 3).Draw(t, "costs")...)
		}), 0, 5).Draw(t, "sites")
		total := rapid.IntRange(0, 8).Draw(t, "total")
		best := math.MaxInt
		var try func(i, have, cost int)
		try = func(i, have, cost int) {
			if have >= total {
				best = min(best, cost)
			}
			if i < len(sites) {
				for c, k := range sites[i] {
					try(i+1, have+c, cost+k)
				}
			}
		}
		try(0, 0, 0)
		if got, ok := cheapest(sites, total); ok != (best != math.MaxInt) || ok && got != best {
			t.Fatalf("%d, %v; trying all gives %d", got, ok, best)
		}
	})
}
