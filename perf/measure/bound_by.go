package measure

import (
	"maps"
	"slices"
	"time"
)

// creator: the scheduler must not have waited for its work.
func (j *judging) creator() {
	l, p := j.r.Load, j.o.Plan
	switch p.Arrival {
	case Burst:
		// Keeping up with the creator is a flaw of a throughput alone: of a latency or a verdict it is the very thing that is
		// asked for. Pods that are never bound keep no scheduler busy, and gangs that wait for their own members are the
		// creator's doing. The ceiling is there for its throughput whatever the figure.
		if j.o.NotThroughput && !j.o.IsCeiling || l.Later+l.Early == 0 {
			break
		}
		say := j.problem
		if j.o.IsCeiling {
			say = j.label
		}
		switch {
		case l.Whole == 0:
			say(CreatorBound, "no gang was whole before the last pod was created: what was measured is their creation (%.0f pods/s); create the load as a backlog", l.Rate)
		case float64(l.WholeLater) < j.o.Limits.Waiting*float64(l.Whole):
			say(CreatorBound, "when the last pod was created only %d of %d that could have been bound still were to be: the scheduler kept up with the creator (%.0f pods/s); "+
				"create the load as a backlog, or with more workers", l.WholeLater, l.Whole, l.Rate)
		}
	case Backlog:
		if l.Early > 0 {
			j.problem(EarlyBinds, "%d pods were bound before the last was created: the scheduler was not paused until the backlog was whole", l.Early)
		}
	case OpenLoop:
		j.late()
	}
}

// late: an open loop that is late offers less than it says. Of a staircase of rates a later step may be more than this
// machine's creator can do, which is told of that step; the first is what the others are compared with.
func (j *judging) late() {
	l, p := j.r.Load, j.o.Plan
	if len(j.r.Phases) > 1 && l.Lateness.Count > 0 {
		for i, ph := range j.r.Phases {
			if !ph.Late {
				continue
			}
			say := j.label
			if i == 0 {
				say = j.problem
			}
			say(CreatorBound, "phase %s: %s: its figures are of less than its rate; give the creator more workers",
				ph.Name, exceeding(j.o.Lateness[ph.Name], "requests were sent", j.o.Limits.Lateness))
		}
		return
	}
	switch {
	case l.Lateness.tail > j.o.Limits.Lateness:
		j.problem(CreatorBound, "%s: give the creator more workers, or offer less", exceeding(slices.Concat(slices.Collect(maps.Values(j.o.Lateness))...), "requests were sent", j.o.Limits.Lateness))
	case l.Lateness.Count == 0 && p.Rate > 0 && l.Rate < j.o.Limits.Achieved*p.Rate:
		// Without the creator's own account the rate must do; pauses between the phases of a load lower it.
		j.problem(CreatorBound, "the creator achieved %.1f of %.1f pods/s: give it more workers, or offer less", l.Rate, p.Rate)
	}
}

// observer: what was seen must have been seen when it happened.
func (j *judging) observer() {
	f := j.r.Fairness
	lags, _ := lagSamples(j.t)
	switch {
	case f.WatchLag.Count == 0:
		j.problem(LagUnknown, "nothing says how late the observer was: no probe object, and no pod created by the driver")
	case f.WatchLag.tail > j.o.Limits.WatchLag:
		j.problem(ObserverBound, "the observer was late: %s: give it more of the machine, or a smaller cluster",
			exceeding(lags, map[string]string{LagOfProbes: "probes", LagOfCreations: "creations"}[f.LagSource]+" were seen", j.o.Limits.WatchLag))
	}
	if n, instant, median, ok := equalLatencies(timesOfGangs(j.t)); ok {
		j.problem(EqualLatencies, "all %d gangs reached their quorum within %s of one another, after %s: that is when the observer woke up, not when they were bound",
			n, instant, median.Round(time.Millisecond))
	}
}

// fewGangs may well be placed at once.
const fewGangs = 20

// equalLatencies recognises a starved observer by what it makes of latencies: one latency for all. Gangs that were
// created one after the other and placed one after the other differ in theirs by more than a hundredth.
func equalLatencies(gangs []gangTimes) (n int, spread, median time.Duration, found bool) {
	var latencies []time.Duration
	first, last := time.Duration(-1), time.Duration(0)
	for _, g := range gangs {
		if g.ready.IsZero() {
			continue
		}
		latencies = append(latencies, since(g.ready, g.start))
		if first < 0 || g.ready.Mono < first {
			first = g.ready.Mono
		}
		last = max(last, g.ready.Mono)
	}
	if len(latencies) < fewGangs {
		return 0, 0, 0, false
	}
	d := distribution(latencies)
	within := func(x time.Duration) bool { return x*100 < d.Median }
	return len(latencies), last - first, d.Median, within(d.Max-d.Min) && within(last-first)
}
