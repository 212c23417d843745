package compare

import (
	"fmt"
	"math"
)

// Outcome of a gate.
type Outcome string

const (
	// Pass: no regression, and one of the scheduler's would have been seen.
	Pass Outcome = "pass"
	// Regression: B is credibly worse than A.
	Regression Outcome = "regression"
	// Undecidable: the runs cannot carry the test.
	Undecidable Outcome = "undecidable"
)

// ExitCode of the command for an outcome.
func (o Outcome) ExitCode() int {
	switch o {
	case Pass:
		return 0
	case Regression:
		return 4
	}
	return 3
}

// Options of a gate. The zero value of every field is its default.
type Options struct {
	// LowerIsBetter: the figure is a time or a cost, not a rate.
	LowerIsBetter bool
	// Alpha is the false-alarm rate for equal sides (default 0.01).
	Alpha float64
	// MinRuns is the least number of pairs (default 12).
	MinRuns int
	// Loss is the change for the worse that the gate is there to see, 0…1 (default 0.1), and Power with what probability
	// (default 0.95). Runs that spread too widely for it are undecidable, not passed.
	Loss  float64
	Power float64
	// Tolerance is the loss that is accepted, 0…1 (default 0: any credible loss is a regression).
	Tolerance float64
	// Ceiling is the side that makes no decision, where the figure is a throughput; empty where it is none. Sides that come
	// near it are bound by the API server, and pass no gate on throughput.
	Ceiling string
	// a and b are what the sides are called in the reason; GateStored and Gate fill them in.
	a, b string
}

func (o Options) withDefaults() Options {
	if o.Alpha == 0 {
		o.Alpha = 0.01
	}
	if o.MinRuns == 0 {
		o.MinRuns = 12
	}
	if o.Loss == 0 {
		o.Loss = 0.1
	}
	if o.Power == 0 {
		o.Power = 0.95
	}
	return o
}

// Verdict of a gate.
type Verdict struct {
	Outcome Outcome `json:"outcome"`
	// Reason in one sentence, with the numbers.
	Reason string `json:"reason"`
	Effect Effect `json:"effect"`
	// P of the one-sided test against "B is not worse than A (by more than the tolerance)".
	P float64 `json:"p"`
	// Detectable is the smallest loss that these runs would have shown with the power asked for, 0…1.
	Detectable float64 `json:"detectable"`
	// OfCeilingA and OfCeilingB are the sides' median throughputs as shares of the ceiling's; 0 where that was not asked for,
	// or is not known.
	OfCeilingA float64 `json:"ofCeilingA,omitempty"`
	OfCeilingB float64 `json:"ofCeilingB,omitempty"`
	// Dropped blocks, and why.
	Dropped []string `json:"dropped,omitempty"`
}

// Gate judges B against A from interleaved runs.
func Gate(runs []Run, a, b string, o Options) Verdict {
	o = o.withDefaults()
	o.a, o.b = a, b
	shape := ""
	for _, r := range runs {
		if r.Side != a && r.Side != b {
			continue
		}
		if shape == "" {
			shape = r.Shape
		}
		if r.Shape != shape {
			return undecided("the runs are of different shapes, %q and %q: compare like with like", shape, r.Shape)
		}
	}
	if why := unequalRuns(runs, a, b); why != "" {
		return undecided("the sides did not run under the same conditions: %s", why)
	}
	pairs, dropped := Pairs(runs, a, b)
	v := gatePairs(pairs, o)
	if v.Dropped = dropped; len(dropped) > 0 && v.Outcome == Undecidable {
		v.Reason += fmt.Sprintf("; left out: %s, the first: %s", counted(len(dropped), "block"), dropped[0])
	}
	if o.Ceiling != "" {
		v.bounded(a, share(runs, a, o.Ceiling), b, share(runs, b, o.Ceiling))
	}
	return v
}

func gatePairs(pairs []Pair, o Options) Verdict {
	e, err := Blocked(pairs, o.Alpha)
	if err != nil {
		return undecided("%v", err)
	}
	return o.judge(e, e.N, "pairs of runs")
}

func undecided(format string, args ...any) Verdict {
	return Verdict{Outcome: Undecidable, Reason: fmt.Sprintf(format, args...), P: 1}
}

// judge applies the test to an effect measured from n runs.
func (o Options) judge(e Effect, n int, unit string) Verdict {
	v := Verdict{Effect: e, P: e.below(1 - o.Tolerance)}
	if o.LowerIsBetter {
		v.P = e.above(1 / (1 - o.Tolerance))
	}
	v.Detectable = 1 - math.Exp(-e.detectable(o.Alpha, o.Power))
	numbers := fmt.Sprintf("%s/%s %.3f [%.3f, %.3f], p = %.4f, n = %d, CV of %s %.1f %%, of %s %.1f %%, of the ratio %.1f %%",
		o.b, o.a, e.Ratio, e.Low, e.High, v.P, n, o.a, 100*e.CVA, o.b, 100*e.CVB, 100*e.CV)
	// The loss that must be seen lies beyond what is tolerated.
	limit := 1 - (1-o.Loss)/(1-o.Tolerance)
	switch {
	case n < o.MinRuns:
		v.Outcome, v.Reason = Undecidable, fmt.Sprintf("only %d %s where a gate needs %d: %s", n, unit, o.MinRuns, numbers)
	case v.P < o.Alpha:
		v.Outcome, v.Reason = Regression, o.b+" is worse: "+numbers
	case v.Detectable > limit:
		v.Outcome, v.Reason = Undecidable, fmt.Sprintf("the runs spread too widely: a loss under %.0f %% would have gone unseen, and the gate is there for %.0f %%: %s",
			100*v.Detectable, 100*limit, numbers)
	default:
		v.Outcome, v.Reason = Pass, o.b+" is not worse: "+numbers
	}
	return v
}
