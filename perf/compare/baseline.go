package compare

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"sigs.k8s.io/yaml"
)

// BaselineVersion of stored baselines.
const BaselineVersion = "muster/v1alpha1"

// ErrBaseline is wrapped by every reason to refuse a stored baseline. A baseline that cannot be used switches no gate
// off: the outcome is Undecidable.
var ErrBaseline = errors.New("the stored baseline cannot be used")

// Baseline is what an earlier run measured, as fractions of the ceiling of that run: the only figure that means the same
// on another day.
type Baseline struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"` // PerfBaseline
	// Shape of the runs, as in Run.Shape, and Figure which was measured ("throughput").
	Shape  string `json:"shape"`
	Figure string `json:"figure"`
	// Per is what the values are divided by. Only "ceiling" is accepted.
	Per string `json:"per"`
	// Values, one a run: 0 < value.
	Values []float64 `json:"values"`
	// Note of whoever stored it: date, machine, commit.
	Note string `json:"note,omitempty"`
}

// BaselineKind of a Baseline.
const BaselineKind = "PerfBaseline"

// maxFraction of a ceiling's figure is more than anybody's is; its inverse less. The squares of such figures are finite.
const maxFraction = 1e6

// ReadBaseline reads a stored baseline strictly: unknown fields, and figures that are none, are refused.
func ReadBaseline(raw []byte) (*Baseline, error) {
	var b Baseline
	if err := yaml.UnmarshalStrict(raw, &b); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBaseline, err)
	}
	return &b, b.Validate()
}

// Validate says why a baseline cannot be used.
func (b *Baseline) Validate() error {
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrBaseline, fmt.Sprintf(format, args...))
	}
	switch {
	case b.APIVersion != BaselineVersion || b.Kind != BaselineKind:
		return refuse("it is a %s %s; this is read: %s %s", b.APIVersion, b.Kind, BaselineVersion, BaselineKind)
	case b.Per != "ceiling":
		return refuse("its figures are per %q: an absolute figure of another day or machine says nothing, store fractions of the ceiling", b.Per)
	case b.Shape == "" || b.Figure == "":
		return refuse("it does not say what was measured (shape %q, figure %q)", b.Shape, b.Figure)
	case len(b.Values) == 0:
		return refuse("it has no values")
	}
	if i := slices.IndexFunc(b.Values, func(v float64) bool { return !usable(v) }); i >= 0 {
		return refuse("value %d is %v: a run without a figure belongs in no baseline", i+1, b.Values[i])
	}
	if i := slices.IndexFunc(b.Values, func(v float64) bool { return v > maxFraction || v < 1/maxFraction }); i >= 0 {
		return refuse("value %d is %v: that is no fraction of anything that was measured", i+1, b.Values[i])
	}
	return nil
}

// Suits says why nothing could be decided of such runs beside the baseline, whatever they were; nil where something may be. A gate
// is spared the half an hour by asking first.
func (b *Baseline) Suits(shape, figure string, o Options) error {
	if err := b.Validate(); err != nil {
		return err
	}
	if b.Shape != shape || b.Figure != figure {
		return fmt.Errorf("%w: it is of %s of %q; this is %s of %q", ErrBaseline, b.Figure, b.Shape, figure, shape)
	}
	if o = o.withDefaults(); len(b.Values) < o.MinRuns {
		return fmt.Errorf("%w: it has only %d runs where a gate needs %d: store one of more runs", ErrBaseline, len(b.Values), o.MinRuns)
	}
	return nil
}

// GateStored judges fractions of the ceiling against a stored baseline. The two were not run in turns, so the test is
// that of two independent samples of unequal spread (Welch), on logarithms.
func GateStored(b *Baseline, shape, figure string, fractions []float64, o Options) Verdict {
	o = o.withDefaults()
	o.a, o.b = "baseline", "head"
	if b == nil {
		return undecided("%v: there is none", ErrBaseline)
	}
	if err := b.Suits(shape, figure, o); err != nil {
		return undecided("%v", err)
	}
	if i := slices.IndexFunc(fractions, func(v float64) bool { return !usable(v) }); i >= 0 {
		return undecided("%v: run %d is %v", ErrNoFigure, i+1, fractions[i])
	}
	n := min(len(b.Values), len(fractions))
	if n < 2 {
		return undecided("%d stored and %d new runs have no spread to speak of", len(b.Values), len(fractions))
	}
	v := o.judge(welch(b.Values, fractions, o.Alpha), n, "runs on the smaller side")
	if o.Ceiling != "" {
		v.bounded("the baseline", median(b.Values), "head", median(fractions))
	}
	return v
}

// welch estimates the effect from two independent samples.
func welch(a, b []float64, alpha float64) Effect {
	ma, va := stat.MeanVariance(logs(a), nil)
	mb, vb := stat.MeanVariance(logs(b), nil)
	qa, qb := va/float64(len(a)), vb/float64(len(b))
	e := Effect{N: min(len(a), len(b)), mean: mb - ma, se: math.Sqrt(qa + qb), Drift: 1, CVA: cv(a), CVB: cv(b)}
	e.df = float64(len(a) + len(b) - 2)
	if e.se > 0 {
		e.df = (qa + qb) * (qa + qb) / (qa*qa/float64(len(a)-1) + qb*qb/float64(len(b)-1))
	}
	e.Ratio, e.CV = finite(math.Exp(e.mean)), finite(math.Sqrt(math.Expm1(va+vb)))
	e.interval(alpha)
	return e
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

func logs(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = math.Log(v)
	}
	return out
}
