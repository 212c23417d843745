package runner

import (
	"fmt"
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

// blocks of the sides that are compared, in one scenario: those that were to be, those that were made, those of them in which
// every run counts.
type blocks struct {
	planned, made, whole int
	// broke: a scheduler broke rules.
	broke bool
	// count of runs, by side.
	count map[string]int
}

func (o Options) blocks(runs []results.Run, sized *scenario.Sized) blocks {
	out := blocks{planned: (o.Runs + 1) / 2, count: map[string]int{}}
	out.made = out.planned
	spoilt := map[int]bool{}
	for i := range runs {
		r := &runs[i]
		if r.Shape != sized.Shape() || !slices.Contains(o.Paired, r.Side) {
			continue
		}
		out.count[r.Side]++
		out.made = max(out.made, r.Block+1)
		if len(r.Incomparable()) > 0 {
			spoilt[r.Block] = true
		}
		if r.Verdicts != nil && r.Verdicts.Failed > 0 && !o.side(r.Side).Unjudged {
			out.broke = true
		}
	}
	out.whole = out.made - len(spoilt)
	return out
}

// lacking says that a comparison has fewer blocks than it was to have.
func (b blocks) lacking() bool { return b.whole < b.planned }

// final is why no block is made again, though some are lacking; empty where one is.
func (b blocks) final() string {
	switch most := b.planned / 3; {
	case b.broke:
		return "a scheduler broke rules, which another run does not mend"
	case b.whole == 0:
		return "none came out whole, which is no mishap"
	case most == 0:
		return "a third of the blocks is made again at most, and there were to be fewer than three"
	case b.made-b.planned >= most:
		return fmt.Sprintf("a third of the blocks is made again at most (here %d)", most)
	}
	return ""
}

// blockAgain is a block in place of one that an invalid run has spoilt: a comparison leaves such a block out whole, and one
// mishap in two dozen runs would leave it with fewer pairs than it needs. The block comes last, of the sides that are compared
// alone; what it stands for stays in the record. A third of the blocks is made again at most. Where not one came out whole, or
// a scheduler broke rules, it is no mishap, and nothing is.
func (o Options) blockAgain(made []results.Run, sized *scenario.Sized) []slot {
	if len(o.Paired) == 0 {
		return nil
	}
	b := o.blocks(made, sized)
	if !b.lacking() || b.final() != "" {
		return nil
	}
	var out []slot
	for _, s := range compare.Interleave(2*b.made+2, o.Paired...) {
		if s.Block == b.made {
			b.count[s.Side]++
			out = append(out, slot{s, sized, o.side(s.Side), b.count[s.Side]})
		}
	}
	return out
}

// notAgain says of which scenarios blocks are lacking in the end, and why they were not made again.
func (o Options) notAgain(made []results.Run) []string {
	var out []string
	if len(o.Paired) == 0 {
		return nil
	}
	for _, sized := range o.Scenarios {
		if b := o.blocks(made, sized); b.lacking() && b.final() != "" {
			out = append(out, fmt.Sprintf("%s: of %d blocks of runs that there were to be, %d came out whole; no more were made in place of the others: %s",
				sized.Name, b.planned, b.whole, b.final()))
		}
	}
	return out
}

func (o Options) side(name string) Side {
	return o.Sides[slices.IndexFunc(o.Sides, func(s Side) bool { return s.Name == name })]
}
