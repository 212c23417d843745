package compare

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Why there is no effect to speak of.
var (
	// ErrTooFew: the mean, the order effect and a spread are three unknowns.
	ErrTooFew = errors.New("at least three pairs of runs are needed")
	// ErrNoFigure: a figure is absent: zero, negative or not a number.
	ErrNoFigure = errors.New("a figure is absent")
	// ErrOneOrder: the order effect cannot be told from the difference.
	ErrOneOrder = errors.New("one side always ran first")
)

// Effect is by what factor B differs from A.
type Effect struct {
	// N pairs of runs.
	N int `json:"n"`
	// Ratio is the geometric mean of B/A; Low and High its confidence interval at 1 − α.
	Ratio float64 `json:"ratio"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	// Drift is the factor by which whatever ran second of a pair differed for running second. It is taken out of Ratio.
	Drift float64 `json:"drift"`
	// CVA and CVB are each side's coefficient of variation, CV that of the ratios: their spread after the drift is out.
	CVA float64 `json:"cvA"`
	CVB float64 `json:"cvB"`
	CV  float64 `json:"cv"`

	mean, se, df float64
}

// Paired estimates the effect from pairs of runs. d = ln(B/A) is modelled as μ ± δ + noise: δ is what running second
// does, with the sign of the order. alpha is for the interval.
func Paired(pairs []Pair, alpha float64) (Effect, error) {
	n := len(pairs)
	e := Effect{N: n}
	if n < 3 {
		return e, fmt.Errorf("%w; there are %d", ErrTooFew, n)
	}
	as, bs, d := make([]float64, n), make([]float64, n), make([]float64, n)
	s, balance, sum, signed := make([]float64, n), 0.0, 0.0, 0.0
	for i, p := range pairs {
		// Nor is there one where their ratio is none: a test on it would compare what is not a number, and pass.
		if !usable(p.A) || !usable(p.B) || !usable(p.B/p.A) {
			return e, fmt.Errorf("%w: pair %d is %v and %v", ErrNoFigure, i+1, p.A, p.B)
		}
		as[i], bs[i], d[i], s[i] = p.A, p.B, math.Log(p.B/p.A), -1
		if p.AFirst {
			s[i] = 1
		}
		balance += s[i]
		sum += d[i]
		signed += s[i] * d[i]
	}
	// Least squares for d = μ + s·δ.
	f := float64(n)
	det := f*f - balance*balance
	if det == 0 {
		return e, ErrOneOrder
	}
	mu, delta := (f*sum-balance*signed)/det, (f*signed-balance*sum)/det
	rest := 0.0
	for i := range d {
		r := d[i] - mu - s[i]*delta
		rest += r * r
	}
	e.df = f - 2
	sigma := math.Sqrt(rest / e.df)
	e.mean, e.se = mu, sigma*math.Sqrt(f/det)
	e.Ratio, e.Drift = finite(math.Exp(mu)), finite(math.Exp(delta))
	e.CVA, e.CVB, e.CV = cv(as), cv(bs), finite(math.Sqrt(math.Expm1(sigma*sigma)))
	e.interval(alpha)
	return e, nil
}

// interval fills in Low and High.
func (e *Effect) interval(alpha float64) {
	half := e.t(1-alpha/2) * e.se
	e.Low, e.High = math.Exp(e.mean-half), finite(math.Exp(e.mean+half))
}

// finite keeps what a few wild runs give within what JSON can hold.
func finite(v float64) float64 { return min(v, math.MaxFloat64) }

// t is a quantile of the test's distribution.
func (e *Effect) t(q float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: e.df}.Quantile(q)
}

// rounding is more than what sums of logarithms are off by. Less is no difference: where all figures are equal there is no other
// spread than that to hold it against.
const rounding = 1e-12

// below is the one-sided p-value of "the true ratio is at least r": small when the ratio is credibly below r.
func (e *Effect) below(r float64) float64 {
	d := e.mean - math.Log(r)
	if math.Abs(d) < rounding {
		d = 0
	}
	if e.se == 0 {
		if d < 0 {
			return 0
		}
		return 1
	}
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: e.df}.CDF(d / e.se)
}

// above is the one-sided p-value of "the true ratio is at most r".
func (e *Effect) above(r float64) float64 {
	inverse := *e
	inverse.mean = -e.mean
	return inverse.below(1 / r)
}

// detectable is the smallest change, as a difference of logarithms, that a one-sided test at alpha sees with the given
// power at this spread and number of runs.
func (e *Effect) detectable(alpha, power float64) float64 {
	return (e.t(1-alpha) + e.t(power)) * e.se
}

// usable figures are positive and finite: anything else is the absence of one.
func usable(v float64) bool { return v > 0 && !math.IsInf(v, 0) && !math.IsNaN(v) }

func cv(values []float64) float64 {
	mean, sd := stat.MeanStdDev(values, nil)
	return sd / mean
}
