package results

import (
	"slices"

	"muster/perf/measure"
	"muster/perf/scenario"
)

// KeptUp reports whether the run is a ceiling's, whatever it is called, that kept up with the creator of a burst. That is no
// flaw of it, but its throughput is then the creator's pace, and nobody's ceiling. Of a scheduler it is a flaw, and a problem.
func (r *Run) KeptUp() bool {
	return r.Result != nil && r.Result.Load.Arrival == measure.Burst && slices.ContainsFunc(r.Result.Validity.Labels,
		func(l measure.Problem) bool { return l.Kind == measure.CreatorBound })
}

// Incomparable are why the run's figure is not to be set beside others: its Problems, and, where the figure is throughput,
// that it is that of a ceiling that kept up with its creator.
func (r *Run) Incomparable() []string {
	out := r.Problems()
	if len(out) == 0 && r.KeptUp() && r.Figure.Unit == scenario.Throughput.Unit().Unit {
		out = append(out, "the ceiling kept up with its creator: this is the pace of creation, and no ceiling")
	}
	return out
}
