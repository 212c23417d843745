package check

import (
	"slices"

	"muster/suites/history"
	"muster/suites/premise"
)

// membersOf are the pods that lived while this incarnation of the gang existed.
func membersOf(v *history.View, g *history.Gang) []*history.Pod {
	var out []*history.Pod
	for _, p := range v.MembersOf(g) {
		if !g.Gone.IsZero() && p.Created.After(g.Gone) || reached(p.Gone, g.Created) {
			continue
		}
		out = append(out, p)
	}
	return out
}

// lostAt is when a pod stopped to be a live member: deleted, or finished; zero: never.
func lostAt(p *history.Pod) history.Stamp { return earliest(p.Deleting, p.Finished, p.Gone) }

// holds reports whether a member counts toward the quorum of what is bound at s: bound, and not deleted. One that has
// finished its work counts for ever, since nobody can demand that it be bound again.
func holds(p *history.Pod, s history.Stamp) bool {
	if !reached(p.Bound, s) {
		return false
	}
	gone := earliest(p.Deleting, p.Gone)
	return !reached(gone, s) || reached(p.Finished, gone)
}

// bound are the members that count at s.
func bound(members []*history.Pod, s history.Stamp) []*history.Pod {
	return slices.DeleteFunc(slices.Clone(members), func(p *history.Pod) bool { return !holds(p, s) })
}

// quorumFrom is the smallest quorum in force from a little before one stamp up to another (zero: the end). A little
// before, because a scheduler may not have seen the last change when it decided. ok is false where none was in force.
func quorumFrom(g *history.Gang, from, to history.Stamp) (least int32, ok bool) {
	for i, q := range g.Quorum {
		if !to.IsZero() && q.Stamp.After(to) {
			break
		}
		if i+1 < len(g.Quorum) {
			if next := g.Quorum[i+1]; !next.Stamp.After(from) && from.Since(next.Stamp) > lag {
				continue // replaced long before
			}
		}
		if !ok || q.Value < least {
			least, ok = q.Value, true
		}
	}
	return least, ok
}

// unreadable reports a gang that the dialect could not make full sense of.
func unreadable(g *history.Gang) bool { return len(g.Problems) > 0 }

// driverChanged reports whether anybody but the scheduler under test changed what a placement rests on at about the
// given place: bound a pod, took a node away or changed it. It names what.
func driverChanged(v *history.View, at history.Stamp) (what string, ok bool) {
	near := func(s history.Stamp) bool {
		return !s.IsZero() && s.Since(at) >= -lag && s.Since(at) <= lag
	}
	for _, p := range v.Pods {
		if !p.Bound.IsZero() && !p.ByScheduler() && near(p.Bound) {
			return podName(p) + " was bound by somebody else", true
		}
	}
	for _, n := range v.Nodes {
		if near(n.Gone) {
			return "node " + n.Name + " went", true
		}
		for i, o := range n.Object {
			if i > 0 && near(o.Stamp) && !premise.SamePlace(n.Object[i-1].Value, o.Value) {
				return "node " + n.Name + " changed", true
			}
		}
	}
	return "", false
}
