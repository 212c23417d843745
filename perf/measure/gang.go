package measure

import (
	"slices"
	"time"

	"muster/suites/history"
)

// GangLatency is how long gangs took, by phase. All phases begin when the gang could first have been bound: at the
// latest of its quorum-th eligible member, its own object, the claims generated for it, the removal of the last
// scheduling gate among those members, and the start of a scheduler that was held back until there was a backlog.
type GangLatency struct {
	// Gangs that had a start; Ready of them met their quorum.
	Gangs int `json:"gangs"`
	Ready int `json:"ready"`
	// FirstBind is queueing and solving, QuorumBound until the gang can run, LastBind until all its members are placed. The
	// last is of gangs of which every member that still existed was bound.
	FirstBind   Distribution `json:"firstBind"`
	QuorumBound Distribution `json:"quorumBound"`
	LastBind    Distribution `json:"lastBind"`
	// BindSpan is from the first bind to the quorum: the time in which a gang is bound in part while it goes well.
	BindSpan Distribution `json:"bindSpan"`
	// Refused is how long gangs that never met their quorum waited to be told so: until their condition said that they
	// cannot be scheduled, or one of their members' did. What was said before the gang could have been bound is no answer to
	// it. Gangs that were never told are in Silent.
	Refused Distribution `json:"refused"`
	Silent  int          `json:"silent,omitempty"`
}

// gangTimes are the stamps of one gang. Zero: it did not come to that.
type gangTimes struct {
	gang                     *history.Gang
	start, first, ready, all history.Stamp
	refused                  history.Stamp
	driven                   bool // bound to its quorum by the driver
}

func gangLatency(t *Tape) GangLatency {
	var first, ready, all, span, refused []time.Duration
	out := GangLatency{}
	for _, g := range timesOfGangs(t) {
		out.Gangs++
		if !g.first.IsZero() {
			first = append(first, since(g.first, g.start))
		}
		if !g.ready.IsZero() {
			out.Ready++
			ready = append(ready, since(g.ready, g.start))
			span = append(span, since(g.ready, g.first))
		}
		switch {
		case !g.ready.IsZero() || g.driven:
		case g.refused.IsZero():
			out.Silent++
		default:
			refused = append(refused, since(g.refused, g.start))
		}
		if !g.all.IsZero() {
			all = append(all, since(g.all, g.start))
		}
	}
	out.FirstBind, out.QuorumBound = distribution(first), distribution(ready)
	out.LastBind, out.BindSpan = distribution(all), distribution(span)
	out.Refused = distribution(refused)
	return out
}

// timesOfGangs are the gangs (not basic) with a start: those that could have been bound in the view's time.
func timesOfGangs(t *Tape) []gangTimes {
	var out []gangTimes
	letGo := t.letGo()
	for _, g := range t.View.Gangs {
		if g.Basic || len(g.Quorum) == 0 || len(g.Problems) > 0 {
			continue
		}
		members := membersOf(t.View, g)
		start := gangStart(t, g, members)
		if start.IsZero() || t.background(start) {
			continue
		}
		start = latestOf(start, letGo)
		times := gangTimes{gang: g, start: start, all: allBound(members)}
		for _, p := range members {
			if p.ByScheduler() && (times.first.IsZero() || p.Bound.Before(times.first)) {
				times.first = p.Bound
			}
		}
		if !times.first.IsZero() {
			times.ready = t.View.QuorumBoundOf(g)
		} else {
			times.all = history.Stamp{} // the driver bound them all
			times.driven = !t.View.QuorumBoundOf(g).IsZero()
		}
		times.refused = refusedAt(g, members, start)
		out = append(out, times)
	}
	return out
}

// membersOf are the members that were there in this incarnation's life.
func membersOf(v *history.View, g *history.Gang) []*history.Pod {
	var out []*history.Pod
	for _, p := range v.MembersOf(g) {
		if (p.Gone.IsZero() || p.Gone.After(g.Created)) && (g.Gone.IsZero() || p.Created.Before(g.Gone)) {
			out = append(out, p)
		}
	}
	return out
}

// gangStart is when the gang could first have been bound; zero: never.
func gangStart(t *Tape, g *history.Gang, members []*history.Pod) history.Stamp {
	quorum := int(g.Quorum[0].Value)
	var eligible []history.Stamp
	for _, p := range members {
		if !p.Ours {
			continue
		}
		if s := eligibleFrom(t, p); !s.IsZero() {
			eligible = append(eligible, s)
		}
	}
	if quorum <= 0 || len(eligible) < quorum {
		return history.Stamp{}
	}
	slices.SortFunc(eligible, func(a, b history.Stamp) int { return int(a.Mono - b.Mono) })
	return t.claimed(g.UID, latestOf(eligible[quorum-1], g.Created, t.View.Begin))
}

// eligibleFrom is when a pod has lost its last scheduling gate and its status names the claims generated for it; zero:
// never.
func eligibleFrom(t *Tape, p *history.Pod) history.Stamp {
	open := p.Created
	if n := len(p.Gated); n > 0 {
		if p.Gated[n-1].Value {
			return history.Stamp{}
		}
		open = latestOf(open, p.Gated[n-1].Stamp)
	}
	return t.claimed(p.UID, open)
}

// claimed is a stamp, or the time at which the object got the claims generated for it where that is later. It keeps the stamp's place:
// that of the claims is one of receipt, and lies before every place that the view gives by resource version.
func (t *Tape) claimed(uid string, s history.Stamp) history.Stamp {
	at := t.claims[uid].at
	if at.IsZero() || at.Mono <= s.Mono {
		return s
	}
	at.Order = s.Order
	return at
}

// allBound is the last bind of a gang whose members are all bound, but for those that were deleted before; zero: some
// never were.
func allBound(members []*history.Pod) (last history.Stamp) {
	for _, p := range members {
		switch {
		case !p.Bound.IsZero():
			last = latestOf(last, p.Bound)
		case p.Deleting.IsZero() && p.Gone.IsZero():
			return history.Stamp{}
		}
	}
	return last
}
