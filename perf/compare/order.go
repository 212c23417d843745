package compare

import (
	"fmt"
	"slices"
	"strings"

	"muster/perf/measure"
)

// Slot is one run of an interleaved comparison.
type Slot struct {
	Side string `json:"side"`
	// Block is the A B B A block it belongs to, from 0; Half 0 or 1 whether it is the side's first or second run in it.
	Block int `json:"block"`
	Half  int `json:"half"`
}

// Interleave is the order in which to run each side n times: blocks of A B B A (A B C C B A with a third side). An odd n
// ends with half a block. Neighbouring blocks begin with each other's sides in turn, so that no side is always the first.
func Interleave(n int, sides ...string) []Slot {
	var out []Slot
	for run := 0; run < n; run += 2 {
		block := run / 2
		order := slices.Clone(sides)
		if block%2 == 1 {
			slices.Reverse(order)
		}
		for _, s := range order {
			out = append(out, Slot{s, block, 0})
		}
		if run+1 == n {
			break
		}
		for _, s := range slices.Backward(order) {
			out = append(out, Slot{s, block, 1})
		}
	}
	return out
}

// Run is one measured run.
type Run struct {
	Slot
	// Value is the primary figure (pods per second, seconds, …). Zero is no measurement.
	Value float64 `json:"value"`
	// Shape says what was run: scenario, nodes, scale. Runs of different shapes are not compared.
	Shape string `json:"shape"`
	// Problems make the run invalid.
	Problems []string `json:"problems,omitempty"`
	// Fairness is under what conditions it ran; nil: not known. Gate compares no sides whose conditions differ.
	Fairness *measure.Fairness `json:"fairness,omitempty"`
}

// Pair is two runs that stood next to each other.
type Pair struct {
	A, B float64
	// AFirst: A ran before B.
	AFirst bool
}

// Pairs pairs the runs of two sides, in the order in which they ran. A block with an invalid or missing run is dropped
// whole, as half of it would bring back the drift that the other half takes out; dropped says which, counted from 1 as people
// do, and for what reason. Half
// a block at the end (an odd number of runs) is kept.
func Pairs(runs []Run, a, b string) (pairs []Pair, dropped []string) {
	type key struct {
		side        string
		block, half int
	}
	at := map[key]int{}
	blocks := map[int]int{} // block → halves begun
	for i, r := range runs {
		if r.Side == a || r.Side == b {
			at[key{r.Side, r.Block, r.Half}] = i
			blocks[r.Block] = max(blocks[r.Block], r.Half+1)
		}
	}
	var order []int
	for block := range blocks {
		order = append(order, block)
	}
	slices.Sort(order)
	for _, block := range order {
		var mine []Pair
		why := ""
		for half := range blocks[block] {
			i, okA := at[key{a, block, half}]
			j, okB := at[key{b, block, half}]
			switch {
			case !okA || !okB:
				why = fmt.Sprintf("block %d has no run of both sides", block+1)
			case len(runs[i].Problems) > 0:
				why = fmt.Sprintf("block %d: %s's run is invalid: %s", block+1, a, first(runs[i].Problems))
			case len(runs[j].Problems) > 0:
				why = fmt.Sprintf("block %d: %s's run is invalid: %s", block+1, b, first(runs[j].Problems))
			default:
				mine = append(mine, Pair{runs[i].Value, runs[j].Value, i < j})
			}
		}
		if why != "" {
			dropped = append(dropped, why)
			continue
		}
		pairs = append(pairs, mine...)
	}
	return pairs, dropped
}

// first of several problems, without what may follow it on further lines: the log of a command.
func first(problems []string) string {
	line, _, _ := strings.Cut(problems[0], "\n")
	return line
}
