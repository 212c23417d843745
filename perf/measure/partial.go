package measure

import (
	"slices"
	"time"

	"muster/suites/history"
)

// Partial is how often, how long and at what cost gangs stood bound in part: binds by the scheduler under test had put a
// gang that had not yet met its quorum at 0 < bound < quorum.
type Partial struct {
	// Gangs of which the scheduler bound a member. InFlight of them stood in part for any measurable time, AtRest of them
	// for longer than the settle bound of their size, or did when the record ended.
	Gangs    int `json:"gangs"`
	InFlight int `json:"inFlight"`
	AtRest   int `json:"atRest"`
	// InFlightRate and AtRestRate are shares of Gangs, 0…1.
	InFlightRate float64 `json:"inFlightRate"`
	AtRestRate   float64 `json:"atRestRate"`
	// Longest is the longest time one gang stood in part at a stretch, LongestGang which (namespace/name).
	Longest     time.Duration `json:"longest"`
	LongestGang string        `json:"longestGang,omitempty"`
	// GPUSeconds is the integral of the amount of the resource that members of gangs in part held and could not use: GPUs ×
	// seconds. Resource says of what it is.
	GPUSeconds float64 `json:"gpuSeconds"`
	Resource   string  `json:"resource"`
}

// stretch is a time in which a gang stood in part, and the amounts held in it.
type stretch struct {
	from, to time.Duration
	open     bool // it had not ended when the record, or the gang, did
	held     integral
}

func partial(t *Tape, resource string) Partial {
	out := Partial{Resource: resource}
	var held integral
	for _, g := range t.View.Gangs {
		if g.Basic || len(g.Quorum) == 0 || len(g.Problems) > 0 {
			continue
		}
		members := membersOf(t.View, g)
		first := firstOwn(members)
		if first.IsZero() {
			continue
		}
		out.Gangs++
		flight, rest := false, false
		for _, s := range stretches(t, g, members, first, resource) {
			took := s.to - s.from
			flight = flight || took > 0
			rest = rest || s.open || took > t.View.Settle(len(members))
			if took > out.Longest {
				out.Longest, out.LongestGang = took, g.Namespace+"/"+g.Name
			}
			held.join(&s.held)
		}
		if flight {
			out.InFlight++
		}
		if rest {
			out.AtRest++
		}
	}
	if out.Gangs > 0 {
		out.InFlightRate = float64(out.InFlight) / float64(out.Gangs)
		out.AtRestRate = float64(out.AtRest) / float64(out.Gangs)
	}
	out.GPUSeconds = held.seconds(unitOf(resource))
	return out
}

func firstOwn(members []*history.Pod) (first history.Stamp) {
	for _, p := range members {
		if p.ByScheduler() && p.Bound.Before(first) {
			first = p.Bound
		}
	}
	return first
}

// stretches walks the binds and losses of a gang's members from the scheduler's first bind to the quorum, the gang's end
// or the record's.
func stretches(t *Tape, g *history.Gang, members []*history.Pod, first history.Stamp, resource string) []stretch {
	type step struct {
		at     history.Stamp
		count  int
		amount int64
	}
	end := t.View.Now()
	for _, s := range []history.Stamp{g.Deleting, g.Gone} {
		if s.Before(end) {
			end = s
		}
	}
	var steps []step
	for _, p := range members {
		if p.Bound.IsZero() {
			continue
		}
		amount := requests(p, resource)
		steps = append(steps, step{p.Bound, 1, amount})
		switch lost := lostAt(p); {
		case !lost.IsZero():
			steps = append(steps, step{lost, -1, -amount})
		case !p.Finished.IsZero():
			steps = append(steps, step{p.Finished, 0, -amount}) // it counts for ever and holds nothing
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int { return compareStamps(a.at, b.at) })
	quorum := smallestQuorum(g, first)
	var out []stretch
	cur := stretch{from: -1}
	count, amount := 0, int64(0)
	since := first.Mono
	for i, s := range steps {
		if s.at.After(end) {
			break
		}
		if cur.from >= 0 {
			cur.held.add(amount, s.at.Mono-since)
			since = max(since, s.at.Mono)
		}
		count, amount = count+s.count, amount+s.amount
		if s.at.Before(first) || i+1 < len(steps) && steps[i+1].at.Order == s.at.Order {
			continue
		}
		in := count > 0 && count < quorum
		switch {
		case in && cur.from < 0:
			cur, since = stretch{from: s.at.Mono}, s.at.Mono
		case !in && cur.from >= 0:
			cur.to = max(s.at.Mono, cur.from)
			out = append(out, cur)
			cur = stretch{from: -1}
		}
		if count >= quorum {
			return out
		}
	}
	if cur.from >= 0 {
		cur.held.add(amount, end.Mono-since)
		cur.to = max(end.Mono, cur.from)
		cur.open = g.Deleting.IsZero() && g.Gone.IsZero()
		out = append(out, cur)
	}
	return out
}

// smallestQuorum in force since a place.
func smallestQuorum(g *history.Gang, from history.Stamp) int {
	least := int32(0)
	for i, q := range history.Between(g.Quorum, from, history.Stamp{}) {
		if i == 0 || q.Value < least {
			least = q.Value
		}
	}
	return int(least)
}

// lostAt is where a bound pod stopped being a live member without having finished: deleted, or gone.
func lostAt(p *history.Pod) history.Stamp {
	lost := p.Deleting
	if p.Gone.Before(lost) {
		lost = p.Gone
	}
	if p.Finished.Before(lost) {
		return history.Stamp{}
	}
	return lost
}

// compareStamps orders by place, then by receipt.
func compareStamps(a, b history.Stamp) int {
	switch {
	case a.Before(b):
		return -1
	case b.Before(a):
		return 1
	}
	return int(a.Seq - b.Seq)
}
