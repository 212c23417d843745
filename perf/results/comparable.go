package results

import "muster/perf/measure"

// Incomparable are why the run is not to be set beside others: its Problems, and, of a ceiling, that in a burst it kept up
// with its creator. That is no flaw of the run, but what it shows is the creator's pace, which is nobody's ceiling.
func (r *Run) Incomparable() []string {
	out := r.Problems()
	if len(out) == 0 && r.Side == Ceiling && r.Result.Load.Arrival == measure.Burst && r.Result.Validity.Has(measure.CreatorBound) {
		out = append(out, "the ceiling kept up with its creator: this is the pace of creation, and no ceiling")
	}
	return out
}
