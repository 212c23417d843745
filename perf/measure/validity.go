package measure

import (
	"fmt"
	"slices"
	"time"
)

// Kind of a problem with a run.
type Kind string

// The kinds. All but APIBound, CeilingTooLow and HeavyHarness make a run invalid; CreatorBound not one of the ceiling, nor
// for a later step of a staircase of rates; Unfinished and FewerThanPlanned not one that measures how much fits.
const (
	// MoreThanPlanned and FewerThanPlanned: what was created is not what the scenario says.
	MoreThanPlanned  Kind = "more-than-planned"
	FewerThanPlanned Kind = "fewer-than-planned"
	// CreatorBound: the scheduler waited for its work.
	CreatorBound Kind = "creator-bound"
	// EarlyBinds: the backlog was not whole when the scheduler began.
	EarlyBinds Kind = "early-binds"
	// ObserverBound: the observer saw things too late to time them.
	ObserverBound Kind = "observer-bound"
	// LagUnknown: nothing says how late the observer was.
	LagUnknown Kind = "lag-unknown"
	// EqualLatencies: gangs that cannot have been placed at once seem to have been: a starved observer.
	EqualLatencies Kind = "equal-latencies"
	// Gaps: events may be missing.
	Gaps Kind = "gaps"
	// Unfinished: pods that were meant to be bound were not.
	Unfinished Kind = "unfinished"
	// Interrupted: the run did not come to its end.
	Interrupted Kind = "interrupted"
	// Violations: the scheduler broke rules; a fast scheduler that does is not fast.
	Violations Kind = "violations"
	// Throttled: the scheduler waited for its own client's rate limiter.
	Throttled Kind = "throttled"
	// APIBound: the API server was the limit. A label: the throughput counts, but says little about the scheduler.
	APIBound Kind = "api-bound"
	// CeilingTooLow: the scheduler was faster than the ceiling, which therefore was none. A label.
	CeilingTooLow Kind = "ceiling-too-low"
	// NoFigure: what the scenario is run for was not there to be measured.
	NoFigure Kind = "no-figure"
	// HeavyHarness: creator and observer took much of the machine. A label: it bears on all sides alike.
	HeavyHarness Kind = "heavy-harness"
)

// Problem of a run: what was seen, and what to do about it.
type Problem struct {
	Kind    Kind   `json:"kind"`
	Message string `json:"message"`
}

// Validity says whether a run measured the scheduler.
type Validity struct {
	Valid bool `json:"valid"`
	// Problems make it invalid, Labels do not.
	Problems []Problem `json:"problems,omitempty"`
	Labels   []Problem `json:"labels,omitempty"`
}

// Has reports whether a problem or label is among them.
func (v Validity) Has(k Kind) bool {
	is := func(p Problem) bool { return p.Kind == k }
	return slices.ContainsFunc(v.Problems, is) || slices.ContainsFunc(v.Labels, is)
}

// APIBoundFrom is the share of the ceiling's throughput from which the API server is taken for the limit.
const APIBoundFrom = 0.9

// Limits are where a run stops being valid. The zero value of each is its default.
type Limits struct {
	// WatchLag is the greatest p99 of the observer's lag (default 100 ms), by nearest rank: of a hundred probes one may be
	// later.
	WatchLag time.Duration
	// Waiting is the least share of a burst's pods that must still wait when the last is created, of those that have all they
	// need by then (default 0.1); below it the scheduler had kept up with the creator, and was perhaps faster.
	Waiting float64
	// Lateness is the greatest p99 of requests against their intended times (default 100 ms).
	Lateness time.Duration
	// Achieved, where lateness is not known, is the least share of an open loop's rate that must have been achieved (default 0.95).
	Achieved float64
	// Throttle is the greatest share of the run that the scheduler's client may have waited for its rate limiter, all
	// requests together (default 0.05).
	Throttle float64
	// OfCeiling is the share of the ceiling's throughput from which a run counts as bound by the API server (default APIBoundFrom),
	// AboveCeiling the one from which the ceiling counts as too low (default 1.05).
	OfCeiling    float64
	AboveCeiling float64
	// OwnShare is the share of all sampled CPU from which muster itself is said to weigh on the run (default 0.15).
	OwnShare float64
}

func (l Limits) withDefaults() Limits {
	if l.WatchLag == 0 {
		l.WatchLag = 100 * time.Millisecond
	}
	if l.Lateness == 0 {
		l.Lateness = 100 * time.Millisecond
	}
	for v, d := range map[*float64]float64{&l.Waiting: 0.1, &l.Achieved: 0.95, &l.Throttle: 0.05, &l.OfCeiling: APIBoundFrom, &l.AboveCeiling: 1.05, &l.OwnShare: 0.15} {
		if *v == 0 {
			*v = d
		}
	}
	return l
}

// judging gathers problems.
type judging struct {
	t *Tape
	o Options
	r *Result
	v Validity
}

func validity(t *Tape, o Options, r *Result) Validity {
	j := judging{t: t, o: o, r: r}
	j.planned()
	j.whole()
	j.creator()
	j.observer()
	j.limits()
	j.v.Valid = len(j.v.Problems) == 0
	return j.v
}

func (j *judging) problem(k Kind, format string, args ...any) {
	j.v.Problems = append(j.v.Problems, Problem{k, fmt.Sprintf(format, args...)})
}

func (j *judging) label(k Kind, format string, args ...any) {
	j.v.Labels = append(j.v.Labels, Problem{k, fmt.Sprintf(format, args...)})
}

// lacking says how to speak of what is not there.
func (j *judging) lacking() func(k Kind, format string, args ...any) {
	if j.o.HowMuchFits {
		return j.label
	}
	return j.problem
}

// planned: every scenario asserts that what was created is what was planned.
func (j *judging) planned() {
	for _, c := range []struct {
		what       string
		have, want int
	}{{"pods", j.r.Load.Pods, j.o.Plan.Pods}, {"gangs", j.r.Load.Gangs, j.o.Plan.Gangs}} {
		switch {
		case c.have > c.want:
			j.problem(MoreThanPlanned, "%d %s were created where %d were planned: something else creates in the scenario's namespaces, or a request was repeated",
				c.have, c.what, c.want)
		case c.have < c.want:
			j.lacking()(FewerThanPlanned, "%d %s were created where %d were planned: see the driver's refused requests", c.have, c.what, c.want)
		}
	}
}

// whole: the record covers the run, and the run its load.
func (j *judging) whole() {
	if !j.t.View.Scope.IsWhole() && j.t.View.End.IsZero() {
		j.problem(Interrupted, "the run has no end: it was interrupted, and what was measured until then is kept")
	}
	if gaps := gapsMatter(j.t.View); len(gaps) > 0 {
		j.problem(Gaps, "%d gaps in the record may hide events; the first: %s", len(gaps), gaps[0].Why)
	}
	if want := j.o.Plan.Pods - j.o.Plan.Unbound; j.everBound() < want {
		j.lacking()(Unfinished, "%d of the %d pods that were meant to be bound were: give the run more time, or see why the rest waits", j.everBound(), want)
	}
	if j.o.Violations > 0 {
		j.problem(Violations, "the checks found %d violations in this very run: a scheduler that breaks rules is not fast", j.o.Violations)
	}
}

func (j *judging) everBound() (n int) {
	for _, p := range j.t.View.Pods {
		if inScope(j.t.View, p.Namespace) && !p.Bound.IsZero() {
			n++
		}
	}
	return n
}

// limits: client and API server.
func (j *judging) limits() {
	if d := j.r.Fairness.Throttled; d != nil && j.r.Throughput.WholeRun > 0 {
		if share := d.Seconds() / j.r.Throughput.WholeRun.Seconds(); share > j.o.Limits.Throttle {
			j.problem(Throttled, "the scheduler's client waited %s for its own rate limiter in a run of %s: raise its QPS and burst, on all sides alike",
				d.Round(time.Millisecond), j.r.Throughput.WholeRun.Round(time.Millisecond))
		}
	}
	if share := j.r.Fairness.OwnShare; share != nil && *share > j.o.Limits.OwnShare {
		j.label(HeavyHarness, "muster itself took %.0f %% of the CPU: a larger machine would measure more of the scheduler", 100**share)
	}
}
