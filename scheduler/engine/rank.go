package engine

import (
	"cmp"
	"hash/fnv"
	"slices"
)

// How many domains are tried for one group in one attempt, best first. For equal pods without rules the first one never
// fails. In a tree every choice of one group multiplies with those of others.
const (
	manyCandidates = 4096
	treeCandidates = 64
)

// roomOf is how many pods of the kinds fit in each domain of a key inside a scope: for one shape all the copies that
// would fit; for several, where copies of one take room from the others, no more of each than there are pods.
func (e *Engine) roomOf(kinds []*kind, k *topologyKey, sc scope) []int64 {
	var shapes []*shape
	pods := map[*shape]int64{}
	for _, kd := range kinds {
		if pods[kd.shape] == 0 {
			shapes = append(shapes, kd.shape)
		}
		pods[kd.shape] += int64(len(kd.pods))
	}
	if len(shapes) == 1 {
		return e.supplyOf(shapes[0], sc, k).roomBy(k, sc)
	}
	out := make([]int64, len(k.values))
	for _, s := range shapes {
		for d, r := range e.supplyOf(s, sc, k).roomBy(k, sc) {
			out[d] += min(r, pods[s])
		}
	}
	return out
}

// rank sorts domains: those that take everything wanted, the tightest first; then the others, the roomiest first. Equal
// ones are ordered by the seed. With most = 1 only the first place is right.
func (e *Engine) rank(order []int32, room []int64, k *topologyKey, want, most int) {
	w := int64(want)
	compare := func(a, b int32) int {
		ra, rb := room[a], room[b]
		if ra != rb {
			switch {
			case ra >= w && rb >= w:
				return cmp.Compare(ra, rb)
			case ra >= w:
				return -1
			case rb >= w:
				return 1
			}
			return cmp.Compare(rb, ra)
		}
		return e.tie(k.values[a], k.values[b])
	}
	if most > 1 {
		slices.SortFunc(order, compare)
		return
	}
	best := 0
	for i := range order {
		if compare(order[i], order[best]) < 0 {
			best = i
		}
	}
	order[0], order[best] = order[best], order[0]
}

// tie orders equally good names: by a hash with the seed, so that engines with different seeds do not all choose alike.
func (e *Engine) tie(a, b string) int {
	if e.opts.Seed == 0 {
		return cmp.Compare(a, b)
	}
	return cmp.Or(cmp.Compare(e.hash(a), e.hash(b)), cmp.Compare(a, b))
}

func (e *Engine) hash(s string) uint64 {
	h := fnv.New64a()
	seed := e.opts.Seed
	var b [8]byte
	for i := range b {
		b[i] = byte(seed >> (8 * i))
	}
	h.Write(b[:])
	h.Write([]byte(s))
	return h.Sum64()
}
