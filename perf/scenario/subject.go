package scenario

import (
	"cmp"
	"fmt"
	"slices"
)

// By is the same load with another primary figure. What it is mainly run for stays its Subject.
func (s *Sized) By(f Figure) *Sized {
	out := *s
	if f != s.Figure {
		out.Own, out.Figure = s.Subject(), f
	}
	return &out
}

// Subject is the figure the load is mainly run for, whichever is looked at: it says whether somebody has to be evicted, and
// whether all of it must fit.
func (s *Sized) Subject() Figure { return cmp.Or(s.Own, s.Figure) }

// Has says why a figure cannot be had of the load, whoever schedules it; nil where it can.
func (s *Sized) Has(f Figure) error {
	have, what := true, ""
	switch f {
	case GangReady:
		have, what = s.any(func(g Group) bool { return g.Policy == Gang && !g.Unbound }), "no gang that can be bound"
	case Reclaim:
		have, what = s.Subject() == Reclaim, "nobody to evict"
	case TimeToVerdict:
		have, what = s.any(func(g Group) bool { return g.Policy == Gang && g.Unbound }), "no gang that cannot be placed"
	case Occupancy:
		have, what = slices.ContainsFunc(s.Phases, func(p Phase) bool { return p.Measured && p.Perfect }), "no wave that fits exactly"
	case Throughput:
		have = slices.ContainsFunc(s.Phases, func(p Phase) bool { return p.Measured && p.Arrival != Open })
		what = "only what is offered at a given rate"
	}
	if !have {
		return fmt.Errorf("%s has no %s: there is %s in it", s.Name, f, what)
	}
	return nil
}

func (s *Sized) any(is func(Group) bool) bool {
	return slices.ContainsFunc(s.Phases, func(p Phase) bool { return slices.ContainsFunc(p.Groups, is) })
}
