package compare

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// Rate is a share of trials with its exact (Clopper-Pearson) confidence interval.
type Rate struct {
	Hits   int     `json:"hits"`
	Trials int     `json:"trials"`
	Rate   float64 `json:"rate"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// RateOf hits among trials, at a confidence (0…1).
func RateOf(hits, trials int, confidence float64) Rate {
	r := Rate{Hits: hits, Trials: trials, High: 1}
	if trials == 0 {
		return r
	}
	h, n, tail := float64(hits), float64(trials), (1-confidence)/2
	r.Rate = h / n
	if hits > 0 {
		r.Low = distuv.Beta{Alpha: h, Beta: n - h + 1}.Quantile(tail)
	}
	if hits < trials {
		r.High = distuv.Beta{Alpha: h + 1, Beta: n - h}.Quantile(1 - tail)
	}
	return r
}

// Sensitivity is what a gate does on resampled runs.
type Sensitivity struct {
	// Regression, Undecidable: the share of gates with that outcome.
	Regression  Rate `json:"regression"`
	Undecidable Rate `json:"undecidable"`
}

// minRecorded runs, below which resampling only repeats the few it has.
const minRecorded = 20

// Resample runs a gate many times on n pairs drawn, with replacement, from recorded runs of one and the same scheduler,
// in which B is made worse by factor (0.9 is 10 % slower; 1 gives the false-alarm rate). The two runs of
// a pair are neighbours in the record, so that its own drift stays in. The source of randomness is the caller's, so
// that a seed repeats it.
func Resample(recorded []float64, factor float64, n, trials int, o Options, random *rand.Rand) (Sensitivity, error) {
	if len(recorded) < minRecorded {
		return Sensitivity{}, fmt.Errorf("resampling %d recorded runs: at least %d are needed, record more", len(recorded), minRecorded)
	}
	o = o.withDefaults()
	if o.LowerIsBetter {
		factor = 1 / factor
	}
	regressions, undecidable := 0, 0
	for range trials {
		pairs := make([]Pair, n)
		for i := range pairs {
			// Two neighbours of the record are the two runs of a pair; in every second pair they change places.
			at := random.IntN(len(recorded) - 1)
			x, y := recorded[at], recorded[at+1]
			pairs[i] = Pair{A: x, B: y * factor, AFirst: true}
			if i%2 == 1 {
				pairs[i] = Pair{A: y, B: x * factor}
			}
		}
		switch gatePairs(pairs, o).Outcome {
		case Regression:
			regressions++
		case Undecidable:
			undecidable++
		}
	}
	return Sensitivity{RateOf(regressions, trials, 0.95), RateOf(undecidable, trials, 0.95)}, nil
}
