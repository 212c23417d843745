package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/perf/benchmath"
)

// Summary of one side's runs: the median and what is known of it.
type Summary struct {
	Side   string  `json:"side"`
	N      int     `json:"n"`
	Median float64 `json:"median"`
	// Low and High are the interval of the median, distribution-free, at Confidence (0…1): 0.95 or, where the runs are too
	// few for that, what they carry. CV is the coefficient of variation (0 for a single run).
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	Confidence float64 `json:"confidence"`
	CV         float64 `json:"cv"`
}

// Summarise the valid runs of a side. ok is false where there is none.
func Summarise(runs []Run, side string) (s Summary, ok bool) {
	var values []float64
	for _, r := range runs {
		if r.Side == side && len(r.Problems) == 0 && usable(r.Value) {
			values = append(values, r.Value)
		}
	}
	s = Summary{Side: side, N: len(values)}
	if len(values) == 0 {
		return s, false
	}
	sample := benchmath.NewSample(values, &benchmath.DefaultThresholds)
	m := benchmath.AssumeNothing.Summary(sample, 0.95)
	s.Median, s.Low, s.High, s.Confidence = m.Center, m.Lo, m.Hi, m.Confidence
	if s.N > 1 {
		s.CV = cv(values)
	}
	if math.IsInf(s.Low, 0) || math.IsInf(s.High, 0) {
		// Too few runs for 95 %: the interval is all of them. It misses the median only if all lie on one side of it.
		s.Low, s.High = sample.Values[0], sample.Values[len(sample.Values)-1]
		s.Confidence = 1 - math.Pow(2, float64(1-s.N))
	}
	return s, true
}

// Line is one figure of a comparison as it is printed last:
//
//	gangs-of-8 nodes=5000 a=73.1 pods/s b=290 pods/s ceiling=308 pods/s a/ceiling=0.237 b/ceiling=0.942 b/a=3.97
//
// Each side's figure is its median; b/a is the geometric mean of the paired ratios, a/ceiling and b/ceiling likewise. A side named "" is
// left out; a figure that is not there is "n/a".
func Line(scenario string, nodes int, unit string, runs []Run, a, b, ceiling string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s nodes=%d", scenario, nodes)
	for _, s := range []struct{ label, side string }{{"a", a}, {"b", b}, {"ceiling", ceiling}} {
		if s.side != "" {
			out.WriteString(labelled(runs, s.label, s.side, unit))
		}
	}
	for _, s := range []struct{ label, side string }{{"a", a}, {"b", b}} {
		if ceiling != "" && s.side != "" {
			fmt.Fprintf(&out, " %s/ceiling=%s", s.label, ratio(runs, ceiling, s.side))
		}
	}
	if a != "" && b != "" {
		fmt.Fprintf(&out, " b/a=%s", ratio(runs, a, b))
	}
	return out.String()
}

// Figures is one line with the median of each side by its name, for runs of which no two are held against each other:
//
//	gangs-of-8 nodes=500 kube-scheduler=73.1 pods/s reference=290 pods/s ceiling=308 pods/s
func Figures(scenario string, nodes int, unit string, runs []Run, sides []string) string {
	out := fmt.Sprintf("%s nodes=%d", scenario, nodes)
	for _, side := range sides {
		out += labelled(runs, side, side, unit)
	}
	return out
}

// labelled is one side's median in words, after a space.
func labelled(runs []Run, label, side, unit string) string {
	if m, ok := Summarise(runs, side); ok {
		return fmt.Sprintf(" %s=%s %s", label, number(m.Median), unit)
	}
	return fmt.Sprintf(" %s=n/a", label)
}

// ratio of two sides: the geometric mean over their pairs, or of the medians where there are too few for a test.
func ratio(runs []Run, a, b string) string {
	pairs, _ := Pairs(runs, a, b)
	if e, err := Paired(pairs, 0.05); err == nil {
		return number(e.Ratio)
	}
	x, okX := Summarise(runs, a)
	y, okY := Summarise(runs, b)
	if !okX || !okY {
		return "n/a"
	}
	return number(y.Median / x.Median)
}

// number with three significant digits, never in exponents.
func number(v float64) string {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	if err != nil || v >= 1000 {
		short = v
		return strconv.FormatFloat(short, 'f', 0, 64)
	}
	return strconv.FormatFloat(short, 'f', -1, 64)
}

// counted is a number of things in words: "1 block", "2 blocks".
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
