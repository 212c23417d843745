package compare

import (
	"fmt"

	"muster/perf/measure"
)

// share is the median of a side's runs by the ceiling's; 0 where one of them has no valid run.
func share(runs []Run, side, ceiling string) float64 {
	s, okS := Summarise(runs, side)
	c, okC := Summarise(runs, ceiling)
	if !okS || !okC {
		return 0
	}
	return s.Median / c.Median
}

// bounded keeps a gate on throughput from passing what it could not have seen: where a side comes near the ceiling the API
// server is what is measured, and a scheduler may lose much before its throughput does. A regression that shows all the same
// is one. shares are of the ceiling's throughput, 0 where that is not known.
func (v *Verdict) bounded(a string, shareA float64, b string, shareB float64) {
	v.OfCeilingA, v.OfCeilingB = shareA, shareB
	why := ""
	side, near := a, shareA
	if shareB > shareA {
		side, near = b, shareB
	}
	switch {
	case (shareA == 0 || shareB == 0) && v.Outcome == Pass:
		why = "no valid run of the ceiling beside the sides says whether the API server was the limit: use --figure solve or --figure scheduler-cpu"
	case near >= measure.APIBoundFrom:
		why = fmt.Sprintf("%s reached %.0f %% of the ceiling, and from %.0f %% on it is the API server's throughput and not the scheduler's: "+
			"use --figure solve or --figure scheduler-cpu", side, 100*near, 100*measure.APIBoundFrom)
	}
	switch {
	case why == "" || v.Outcome == Regression:
	case v.Outcome == Pass:
		v.Outcome, v.Reason = Undecidable, why+" ("+v.Reason+")"
	default:
		v.Reason += "; and " + why
	}
}

// Fractions are the figures of a side as shares of the ceiling's, run by run of those that stood next to each other, and
// which blocks were left out, and why. They mean the same on another machine; the figures themselves do not.
func Fractions(runs []Run, ceiling, side string) (fractions []float64, dropped []string) {
	pairs, dropped := Pairs(runs, ceiling, side)
	for _, p := range pairs {
		fractions = append(fractions, p.B/p.A)
	}
	return fractions, dropped
}
