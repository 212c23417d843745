package check

import (
	"slices"
	"time"

	"muster/suites"
	"muster/suites/history"
)

var noPartialAtRest = Check{
	ID: "INV-001", Name: "NoPartialAtRest",
	Rule: `"Ensure that pods being part of a gang are not bound if all pods belonging to it can't be scheduled." (KEP-4671)`,
	Func: func(v *history.View) []suites.Finding {
		r := reportFor(v, "INV-001", "NoPartialAtRest", true, "pods")
		d := dutyOf(v)
		for _, g := range v.Gangs {
			if !g.Basic && len(g.Quorum) > 0 {
				partial(v, d, r, g)
			}
		}
		return r.findings()
	},
}

// partial judges one gang: from its creation until it has met its quorum once, is being deleted, or the view ends.
func partial(v *history.View, d duty, r *report, g *history.Gang) {
	members := membersOf(v, g)
	first := firstBind(members, g)
	if first.IsZero() {
		return
	}
	quorum, ok := quorumFrom(g, first, history.Stamp{})
	if !ok {
		return
	}
	if unreadable(g) {
		r.doubt(first, []string{gangName(g)}, "gang %s has been bound in part or in whole; its object could not be read: %s", g.Name, g.Problems[0].Value)
		return
	}
	end := latest(first, earliest(v.Now(), g.Deleting, g.Gone))
	for _, s := range partialStretches(members, first, end, int(quorum)) {
		if s.met {
			break
		}
		took, settle := d.awake(s.from, s.to), patience(v, len(members), s.from, s.to)
		objects := append([]string{gangName(g)}, names(s.pods)...)
		if took <= settle {
			if s.open && g.Deleting.IsZero() && g.Gone.IsZero() {
				r.doubt(s.from, objects, "the record ends %s after gang %s came to stand at %d of %d bound: too early to tell (settle bound %s)",
					suites.Seconds(took), g.Name, len(s.pods), quorum, suites.Seconds(settle))
				return
			}
			continue
		}
		switch why := excuse(v, g, members, s, settle); {
		case why == lostMember:
			return
		case why != "":
			r.doubt(s.from, objects, "gang %s stood at %d of %d bound for %s, but %s", g.Name, len(s.pods), quorum, suites.Seconds(took), why)
			return
		default:
			r.fail(s.from, objects, "gang %s, which had never met its quorum of %d, stood at %d bound for %s (settle bound %s)",
				g.Name, quorum, len(s.pods), suites.Seconds(took), suites.Seconds(settle))
			return
		}
	}
	r.pass("gang %s was not left bound in part (quorum %d)", g.Name, quorum)
}

// firstBind is the first bind by the scheduler under test of a member of this incarnation.
func firstBind(members []*history.Pod, g *history.Gang) (first history.Stamp) {
	for _, p := range members {
		if p.ByScheduler() && !p.Bound.Before(g.Created) && (g.Gone.IsZero() || p.Bound.Before(g.Gone)) {
			first = earliest(first, p.Bound)
		}
	}
	return first
}

// standing is a stretch in which the number of bound members lay between nothing and the quorum, or (met) the place
// where it reached the quorum.
type standing struct {
	from, to  history.Stamp
	open, met bool
	pods      []*history.Pod // bound at its end
}

// partialStretches walks the places at which the number of bound members changed.
func partialStretches(members []*history.Pod, from, end history.Stamp, quorum int) []standing {
	steps := []history.Stamp{}
	for _, p := range members {
		for _, s := range []history.Stamp{p.Bound, p.Deleting, p.Gone} {
			if !s.IsZero() && !s.Before(from) && !s.After(end) {
				steps = append(steps, s)
			}
		}
	}
	slices.SortFunc(steps, func(a, b history.Stamp) int {
		switch {
		case a.Before(b):
			return -1
		case b.Before(a):
			return 1
		}
		return 0
	})
	var out []standing
	var cur *standing
	for _, s := range steps {
		now := bound(members, s)
		if len(now) >= quorum {
			if cur != nil {
				cur.to = s
				out = append(out, *cur)
			}
			return append(out, standing{from: s, to: s, met: true})
		}
		mine := slices.ContainsFunc(now, func(p *history.Pod) bool { return p.ByScheduler() && !p.Bound.Before(from) })
		switch {
		case mine && cur == nil:
			cur = &standing{from: s, pods: now}
		case mine:
			cur.pods = now
		case cur != nil:
			cur.to = s
			out, cur = append(out, *cur), nil
		}
	}
	if cur != nil {
		cur.to, cur.open = end, true
		out = append(out, *cur)
	}
	return out
}

// lostMember is the excuse that leaves nothing to judge.
const lostMember = "a member was lost"

// excuse is why a partial placement may not be the scheduler's fault; empty: it is.
func excuse(v *history.View, g *history.Gang, members []*history.Pod, s standing, settle time.Duration) string {
	for _, p := range members {
		// Losing a member just before the first bind, or later, can make a sound decision impossible to complete.
		lost := lostAt(p)
		if !lost.IsZero() && lost.Since(s.from) >= -lag && lost.Since(s.from) <= settle && !reached(p.Finished, lost) {
			return lostMember
		}
	}
	for _, p := range members {
		if !p.Ours && p.ActiveAt(s.to) {
			return podName(p) + " is a member that another scheduler serves"
		}
	}
	if what, ok := driverChanged(v, s.from); ok {
		return what + " at about that time"
	}
	if g.Parent != "" {
		return "it is part of composite group " + g.Parent
	}
	return ""
}
