package kit

import (
	"slices"

	"muster/suites"
	"muster/suites/history"
)

// Counts closes the case with "exactly n members of the gang stand on nodes at the mark".
func (c *Case) Counts(mark, gang string, n int) suites.Finding {
	at := c.Mark(mark)
	bound := c.v.BoundAt(gang, at)
	waiting := Unbound(c.v, gang, at)
	return c.About(at, Objects(waiting)...).Holds(len(bound) == n,
		"gang %s at %q: %d members bound, %d waiting; expected %d bound", gang, mark, len(bound), len(waiting), n)
}

// None closes the case with "the scheduler bound no member of the gang in the stretch", and why says what forbade it.
func (c *Case) None(gang string, from, to history.Stamp, why string) suites.Finding {
	bound := BoundBetween(c.v, gang, from, to)
	return c.offenders(bound).Holds(len(bound) == 0, "gang %s: %d members bound %s; expected none", gang, len(bound), why)
}

// NoneBefore closes the case with "the scheduler bound no member of the gang before the event that allowed it".
func (c *Case) NoneBefore(gang string, allowed history.Stamp, event string) suites.Finding {
	bound := BoundBefore(c.v, gang, allowed)
	return c.offenders(bound).Holds(len(bound) == 0, "gang %s: %d members bound before %s; expected none", gang, len(bound), event)
}

// Untouched closes the case with "none of the pods was deleted in the stretch".
func (c *Case) Untouched(pods []*history.Pod, from, to history.Stamp, why string) suites.Finding {
	hit := DisturbedBetween(pods, from, to)
	if len(hit) > 0 {
		c.About(hit[0].Deleting, Objects(hit)...)
	}
	return c.Holds(len(hit) == 0, "%d of %d pods deleted %s; expected none", len(hit), len(pods), why)
}

func (c *Case) offenders(bound []*history.Pod) *Case {
	if len(bound) == 0 {
		return c
	}
	return c.About(bound[0].Bound, Objects(bound)...)
}

// Unbound are the members that exist at the stamp, are not being deleted, have not finished and stand on no node.
func Unbound(v *history.View, gang string, at history.Stamp) []*history.Pod {
	return slices.DeleteFunc(AliveAt(v, gang, at), func(p *history.Pod) bool { return !p.Bound.After(at) })
}

// Quorum is the gang's minCount as last seen (0: no such gang).
func Quorum(v *history.View, gang string) int {
	g := v.Gang(gang)
	if g == nil {
		return 0
	}
	q, _ := history.Latest(g.Quorum)
	return int(q)
}

// QuorumChange is the stamp at which the gang's minCount last became another value than it was created with; zero:
// never.
func QuorumChange(v *history.View, gang string) history.Stamp {
	g := v.Gang(gang)
	if g == nil || len(g.Quorum) < 2 {
		return history.Stamp{}
	}
	return g.Quorum[len(g.Quorum)-1].Stamp
}
