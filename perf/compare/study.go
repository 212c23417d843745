package compare

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
)

// MinRecorded is how many valid runs a side a Study rests on at least.
const MinRecorded = 60

// maxPairs of a gate that is studied.
const maxPairs = 10_000

// Study is what a gate does on resampled runs of a scheduler (A) and of the same one made slower (B).
type Study struct {
	// Blocks of A B B A that were recorded, all four runs valid. Pairs of each resampled gate.
	Blocks int `json:"blocks"`
	Pairs  int `json:"pairs"`
	// Measured is the effect over all blocks: how much slower B really was.
	Measured Effect `json:"measured"`
	// AsRecorded are gates on the runs as they were; AtLoss with B scaled so that it loses exactly what the gate is there to
	// see; Equal with the runs of one side against themselves: every alarm is a false one. Which of the two is called A is
	// drawn for each block, as it makes no difference to what is equal: else the record's own chance would be counted too.
	AsRecorded Power `json:"asRecorded"`
	AtLoss     Power `json:"atLoss"`
	Equal      Power `json:"equal"`
}

// Power of a gate: the share of gates with each outcome. Low and High are the 95 % interval of Regression that comes from
// having recorded so many runs and no more: the share is taken again on resampled records. It is wider than what the
// number of gates alone would give.
type Power struct {
	Gates       int     `json:"gates"`
	Regression  float64 `json:"regression"`
	Low         float64 `json:"low"`
	High        float64 `json:"high"`
	Undecidable float64 `json:"undecidable"`
}

// block is the pairs of one A B B A.
type block [2]Pair

// Effort is how much is resampled. The zero value is enough for two digits.
type Effort struct {
	// Gates for a share itself (default 10,000); for its interval Records (default 100) with RecordGates (default 200) each.
	Gates, Records, RecordGates int
}

func (e Effort) withDefaults() Effort {
	return Effort{cmp.Or(e.Gates, 10_000), cmp.Or(e.Records, 100), cmp.Or(e.RecordGates, 200)}
}

// StudyRuns resamples recorded runs of two sides, block by block, so that pairing, order and drift stay as they were.
// pairs is how many pairs of runs a gate is to have (rounded up to whole blocks). The source of randomness is the
// caller's, so that a seed repeats it.
func StudyRuns(runs []Run, a, b string, pairs int, o Options, effort Effort, random *rand.Rand) (Study, error) {
	o, effort = o.withDefaults(), effort.withDefaults()
	real := blocksOf(runs, a, b)
	if n := 2 * len(real); n < MinRecorded {
		return Study{}, fmt.Errorf("studying a gate: %d runs a side in whole blocks of valid runs; at least %d are needed, record more", n, MinRecorded)
	}
	if pairs > maxPairs {
		return Study{}, fmt.Errorf("studying a gate of %d pairs: nobody runs more than %d", pairs, maxPairs)
	}
	if pairs < 4 {
		return Study{}, fmt.Errorf("studying a gate of %d pairs: two blocks, four pairs, are the least that have a spread", pairs)
	}
	var all []Pair
	for _, x := range real {
		all = append(all, x[:]...)
	}
	e, err := Paired(all, 0.05)
	if err != nil {
		return Study{}, fmt.Errorf("studying a gate: %w", err)
	}
	per := (pairs + 1) / 2
	s := Study{Blocks: len(real), Pairs: 2 * per, Measured: e}
	want := 1 - o.Loss
	if o.LowerIsBetter {
		want = 1 / want
	}
	equal := slices.Concat(alone(runs, a), alone(runs, b))
	s.AsRecorded = power(lot{real, 1, false}, per, o, effort, random)
	s.AtLoss = power(lot{real, want / e.Ratio, false}, per, o, effort, random)
	s.Equal = power(lot{equal, 1, true}, per, o, effort, random)
	return s, nil
}

// blocksOf are the whole blocks in which all four runs are valid.
func blocksOf(runs []Run, a, b string) []block {
	var out []block
	for _, n := range numbers(runs) {
		pairs, dropped := Pairs(slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return r.Block != n }), a, b)
		if len(pairs) == 2 && len(dropped) == 0 && usableBlock(block(pairs)) {
			out = append(out, block(pairs))
		}
	}
	return out
}

func usableBlock(x block) bool {
	return !slices.ContainsFunc(x[:], func(p Pair) bool { return !usable(p.A) || !usable(p.B) })
}

func numbers(runs []Run) []int {
	var out []int
	for _, r := range runs {
		out = append(out, r.Block)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// alone makes blocks of one side's runs: four that followed each other, as X Y Y X, and each run in one of them. Blocks that
// shared runs would be drawn as if they were independent, and the interval would be too narrow.
func alone(runs []Run, side string) []block {
	var v []float64
	for _, r := range runs {
		if r.Side == side && len(r.Problems) == 0 && usable(r.Value) {
			v = append(v, r.Value)
		}
	}
	var out []block
	for i := 0; i+3 < len(v); i += 4 {
		out = append(out, block{{A: v[i], B: v[i+1], AFirst: true}, {A: v[i+3], B: v[i+2]}})
	}
	return out
}

// lot is what gates are drawn from: blocks, in which B is made factor times what it was. In a lot of equals A and B change
// places in every second block, by chance.
type lot struct {
	blocks []block
	factor float64
	equals bool
}

// power runs gates of per blocks drawn with replacement.
func power(from lot, per int, o Options, effort Effort, random *rand.Rand) Power {
	p := Power{Gates: effort.Gates}
	p.Regression, p.Undecidable = from.shares(per, effort.Gates, o, random)
	again := make([]float64, effort.Records)
	for i := range again {
		record := lot{make([]block, len(from.blocks)), from.factor, from.equals}
		for j := range record.blocks {
			record.blocks[j] = from.blocks[random.IntN(len(from.blocks))]
		}
		again[i], _ = record.shares(per, effort.RecordGates, o, random)
	}
	slices.Sort(again)
	tail := len(again) * 25 / 1000
	p.Low, p.High = min(again[tail], p.Regression), max(again[len(again)-1-tail], p.Regression)
	return p
}

func (l lot) shares(per, gates int, o Options, random *rand.Rand) (regression, undecidable float64) {
	for range gates {
		switch gatePairs(l.draw(per, random), o).Outcome {
		case Regression:
			regression++
		case Undecidable:
			undecidable++
		}
	}
	return regression / float64(gates), undecidable / float64(gates)
}

func (l lot) draw(per int, random *rand.Rand) []Pair {
	out := make([]Pair, 0, 2*per)
	for range per {
		exchange := l.equals && random.IntN(2) == 1
		for _, p := range l.blocks[random.IntN(len(l.blocks))] {
			if exchange {
				p = Pair{A: p.B, B: p.A, AFirst: !p.AFirst}
			}
			p.B *= l.factor
			out = append(out, p)
		}
	}
	return out
}
