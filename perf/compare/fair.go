package compare

import (
	"fmt"
	"maps"
	"slices"

	"muster/perf/measure"
)

// Unequal says in what the conditions of two sides differed, other than by the scheduler: each a sentence, none if they
// were equal. A comparison of unequal sides measures the inequality.
func Unequal(nameA, nameB string, a, b measure.Fairness) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	switch {
	case a.Client != b.Client:
		say("client limits differ: %s has %s, %s has %s", nameA, limits(a.Client), nameB, limits(b.Client))
	case a.Client.QPS == 0:
		// Two unknowns are not equal.
		say("the client limits of %s and %s are not known: say with --exec-client-qps which they were given", nameA, nameB)
	}
	if (a.Webhooks > 0) != (b.Webhooks > 0) {
		say("admission webhooks were called on one side only: %v times for %s, %v for %s", a.Webhooks, nameA, b.Webhooks, nameB)
	}
	if a.Offered != b.Offered {
		say("the offered rates differ: %v pods/s to %s, %v to %s", a.Offered, nameA, b.Offered, nameB)
	}
	for _, s := range []struct {
		here, there string
		have, other map[string]float64
	}{{nameA, nameB, a.Cores, b.Cores}, {nameB, nameA, b.Cores, a.Cores}} {
		for _, p := range slices.Sorted(maps.Keys(s.have)) {
			if _, ok := s.other[p]; !ok {
				say("process %s ran beside %s and not beside %s", p, s.here, s.there)
			}
		}
	}
	if a.LagSource != b.LagSource {
		say("watch lag is known from %q for %s and from %q for %s", a.LagSource, nameA, b.LagSource, nameB)
	}
	return out
}

// unequalRuns is the first difference between the conditions of any run of one side and the other's first; empty where
// all were alike, or not known.
func unequalRuns(runs []Run, a, b string) string {
	first := map[string]*measure.Fairness{}
	for _, r := range runs {
		if first[r.Side] == nil {
			first[r.Side] = r.Fairness
		}
	}
	for _, r := range runs {
		other := b
		switch r.Side {
		case a:
		case b:
			other = a
		default:
			continue
		}
		if r.Fairness == nil || first[other] == nil {
			continue
		}
		if why := Unequal(r.Side, other, *r.Fairness, *first[other]); len(why) > 0 {
			return why[0]
		}
	}
	return ""
}

// limits in words.
func limits(c measure.Client) string {
	switch {
	case c.QPS == 0:
		return "unknown ones"
	case c.QPS < 0:
		return "none"
	}
	return fmt.Sprintf("%v QPS and a burst of %d", c.QPS, c.Burst)
}
