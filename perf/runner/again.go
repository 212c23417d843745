package runner

import (
	"slices"

	"muster/perf/compare"
	"muster/perf/results"
	"muster/perf/scenario"
)

// again is one block more of the first scenario that still lacks one; none where nothing is lacking, or would come of it.
func (o Options) again(made []results.Run) []slot {
	for _, sized := range o.Scenarios {
		if more := o.blockAgain(made, sized); len(more) > 0 {
			return more
		}
	}
	return nil
}

// blockAgain is a block in place of one that an invalid run has spoilt: a comparison leaves such a block out whole, and one
// mishap in two dozen runs would leave it with fewer pairs than it needs. The block comes last, of the sides that are compared
// alone; what it stands for stays in the record. A third of the blocks is made again at most. Where not one came out whole, or
// a scheduler broke rules, it is no mishap, and nothing is.
func (o Options) blockAgain(made []results.Run, sized *scenario.Sized) []slot {
	if len(o.Paired) == 0 {
		return nil
	}
	planned := (o.Runs + 1) / 2
	spoilt, blocks := map[int]bool{}, planned
	count := map[string]int{}
	for i := range made {
		r := &made[i]
		if r.Shape != sized.Shape() || !slices.Contains(o.Paired, r.Side) {
			continue
		}
		count[r.Side]++
		blocks = max(blocks, r.Block+1)
		if len(r.Incomparable()) > 0 {
			spoilt[r.Block] = true
		}
		if r.Verdicts != nil && r.Verdicts.Failed > 0 && !o.side(r.Side).Unjudged {
			return nil
		}
	}
	whole := blocks - len(spoilt)
	if whole == 0 || whole >= planned || blocks-planned >= planned/3 {
		return nil
	}
	var out []slot
	for _, s := range compare.Interleave(2*blocks+2, o.Paired...) {
		if s.Block == blocks {
			count[s.Side]++
			out = append(out, slot{s, sized, o.side(s.Side), count[s.Side]})
		}
	}
	return out
}

func (o Options) side(name string) Side {
	return o.Sides[slices.IndexFunc(o.Sides, func(s Side) bool { return s.Name == name })]
}
