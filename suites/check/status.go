package check

import (
	"fmt"
	"slices"
	"time"

	"muster/suites"
	"muster/suites/history"
)

var statusTruthful = Check{
	ID: "INV-005", Name: "StatusTruthful",
	Rule: `"PodGroupInitiallyScheduled": "Indicates whether the scheduling requirement has been satisfied." (scheduling/v1beta1 PodGroupStatus.conditions)`,
	Func: func(v *history.View) []suites.Finding {
		r := reportFor(v, "INV-005", "StatusTruthful", true, "pods")
		d := dutyOf(v)
		for _, g := range v.Gangs {
			if len(g.Satisfied) == 0 || unreadable(g) || g.Parent != "" || driverWroteStatus(v, g) {
				continue
			}
			held := notAhead(r, g)
			held = trueWhenMet(v, d, r, g) && held
			held = notFalseForEver(v, d, r, g) && held
			if held {
				last, _ := history.Latest(g.Satisfied)
				r.pass("the condition of %s %s is true to what happened (%s)", kind(g), g.Name, last.Status)
			}
		}
		return r.findings()
	},
}

func kind(g *history.Gang) string {
	if g.Basic {
		return "basic group"
	}
	return "gang"
}

// driverWroteStatus: what a scenario writes into a status itself is not the scheduler's word.
func driverWroteStatus(v *history.View, g *history.Gang) bool {
	return slices.ContainsFunc(v.Actions, func(a history.At[history.Event]) bool {
		e := a.Value
		return e.Action != nil && e.Action.Subresource == "status" && e.Namespace == g.Namespace && e.Name == g.Name
	})
}

// notAhead: a condition cannot have observed a generation that does not exist yet. Both are fields of one object.
func notAhead(r *report, g *history.Gang) bool {
	for _, s := range g.Satisfied {
		generation, ok := history.ValueAt(g.Generation, s.Stamp)
		if ok && generation > 0 && s.Value.ObservedGeneration > generation {
			r.fail(s.Stamp, []string{gangName(g)}, "the condition of %s says that it observed generation %d; the object is at %d",
				g.Name, s.Value.ObservedGeneration, generation)
			return false
		}
	}
	return true
}

// trueWhenMet: a condition that turned True is followed, within the settle bound, by the binds it speaks of. It may
// legally turn True before them.
func trueWhenMet(v *history.View, d duty, r *report, g *history.Gang) bool {
	i := slices.IndexFunc(g.Satisfied, func(s history.At[history.Condition]) bool { return s.Value.Status == "True" })
	if i < 0 {
		return true
	}
	said := g.Satisfied[i].Stamp
	members := membersOf(v, g)
	need := 1
	if !g.Basic {
		quorum, ok := quorumFrom(g, said, history.Stamp{})
		if !ok {
			return true
		}
		need = int(quorum)
	}
	most, met := mostBound(members, need)
	settle := patience(v, len(members), said, met)
	switch late := d.awake(said, met); {
	case !met.IsZero() && (met.Before(said) || late <= settle):
		return true
	case met.IsZero() && d.awake(said, earliest(v.Now(), g.Gone)) <= settle:
		return true // too early to tell
	case lostAround(members, said, settle):
		return true // a member was lost before it could be bound
	}
	when := "never"
	if !met.IsZero() {
		when = fmt.Sprintf("only %s later", suites.Seconds(met.Since(said)))
	}
	r.fail(said, append([]string{gangName(g)}, names(members)...),
		"the condition of %s is True, but its requirement of %d bound was %s met (at most %d were bound; settle bound %s)",
		g.Name, need, when, most, suites.Seconds(settle))
	return false
}

// mostBound is the greatest number of members that counted at one time, and when it first reached need.
func mostBound(members []*history.Pod, need int) (most int, met history.Stamp) {
	for _, p := range members {
		if p.Bound.IsZero() {
			continue
		}
		n := len(bound(members, p.Bound))
		most = max(most, n)
		if n >= need {
			met = earliest(met, p.Bound)
		}
	}
	return most, met
}

// lostAround reports whether a member was deleted from a little before the stamp until the settle bound after it.
func lostAround(members []*history.Pod, s history.Stamp, settle time.Duration) bool {
	return slices.ContainsFunc(members, func(p *history.Pod) bool {
		lost := earliest(p.Deleting, p.Gone)
		return !lost.IsZero() && lost.Since(s) >= -lag && lost.Since(s) <= settle
	})
}

// notFalseForEver: "Unschedulable" is not the last word about a gang whose quorum the scheduler itself has bound.
func notFalseForEver(v *history.View, d duty, r *report, g *history.Gang) bool {
	last, _ := history.Latest(g.Satisfied)
	if g.Basic || last.Status != "False" || last.Reason != "Unschedulable" {
		return true
	}
	if _, gone := leftTrue(g); gone {
		return true // it was right once: that it was taken back is SatisfiedIsFinal's to say
	}
	met := v.QuorumBoundOf(g)
	if met.IsZero() || reached(g.Deleting, v.Now()) {
		return true
	}
	members := membersOf(v, g)
	// Where somebody else's bind, or a lowered quorum, met it, the scheduler may have had no reason to look again.
	if !slices.ContainsFunc(members, func(p *history.Pod) bool { return p.ByScheduler() && p.Bound == met }) {
		return true
	}
	settle := patience(v, len(members), met, history.Stamp{})
	if took := d.awake(met, history.Stamp{}); took > settle && len(v.Crashes) == 0 {
		r.fail(met, append([]string{gangName(g)}, names(members)...),
			"the quorum of gang %s has been bound for %s and its condition is still False (Unschedulable) (settle bound %s)",
			g.Name, suites.Seconds(took), suites.Seconds(settle))
		return false
	}
	return true
}
