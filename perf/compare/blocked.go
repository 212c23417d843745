package compare

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// ErrFewBlocks: the mean of one block has no spread.
var ErrFewBlocks = errors.New("at least two blocks of A B B A, four pairs of runs, are needed")

// Blocked estimates the effect as Paired does, and its spread from whole blocks of A B B A: one mean a block. The two pairs of a
// block are near to each other, and a minute in which the machine is slow may hit both B, or both A: taken for two, such pairs
// say more than they know, and equal sides raise an alarm twice as often as alpha allows (docs/performance.md has the
// figures). In the mean of a block the order effect cancels out. A pair without its other half is left out. N counts the pairs
// that were used.
func Blocked(pairs []Pair, alpha float64) (Effect, error) {
	blocks := wholeBlocks(pairs)
	if len(blocks) < 2 {
		return Effect{N: 2 * len(blocks)}, fmt.Errorf("%w; there are %d pairs", ErrFewBlocks, len(pairs))
	}
	var whole []Pair
	means := make([]float64, len(blocks))
	for i, b := range blocks {
		whole = append(whole, b[:]...)
		means[i] = (math.Log(b[0].B/b[0].A) + math.Log(b[1].B/b[1].A)) / 2
	}
	e, err := Paired(whole, alpha)
	if err != nil {
		return e, err
	}
	_, sd := stat.MeanStdDev(means, nil)
	k := float64(len(means))
	e.se, e.df = sd/math.Sqrt(k), k-1
	e.interval(alpha)
	return e, nil
}

// wholeBlocks are neighbouring pairs of opposite order.
func wholeBlocks(pairs []Pair) []block {
	var out []block
	for i := 0; i+1 < len(pairs); i++ {
		if pairs[i].AFirst != pairs[i+1].AFirst {
			out = append(out, block{pairs[i], pairs[i+1]})
			i++
		}
	}
	return out
}
