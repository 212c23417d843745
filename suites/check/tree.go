package check

import (
	"muster/suites"
	"muster/suites/history"
)

// noPartialTree holds CPG-002 over every history: what NoPartialAtRest is to the pods of a gang, this is to the children
// of a composite.
var noPartialTree = Check{
	ID: "CPG-002", Name: "NoPartialTree",
	Rule: `"minGroupCount is the minimum number of child groups that must be schedulable or scheduled at the same time for the scheduler to admit the entire group." (scheduling/v1alpha3 CompositeGangSchedulingPolicy.minGroupCount)`,
	Func: func(v *history.View) []suites.Finding {
		r := reportFor(v, "CPG-002", "NoPartialTree", true, "pods")
		d := dutyOf(v)
		for _, c := range v.Composites {
			if !c.Basic && len(c.Problems) == 0 && c.Deleting.IsZero() && c.Gone.IsZero() {
				partialTree(v, d, r, c)
			}
		}
		return r.findings()
	},
}

// partialTree judges one composite at the end of the view: where the scheduler has bound a pod below it, enough of its
// children have been met, within the settle bound.
func partialTree(v *history.View, d duty, r *report, c *history.Composite) {
	pods := v.PodsUnder(c)
	var first history.Stamp
	for _, p := range pods {
		if p.ByScheduler() && !p.Bound.Before(c.Created) {
			first = earliest(first, p.Bound)
		}
	}
	met := childrenMet(v, c, map[string]bool{})
	switch {
	case first.IsZero():
		if met < int(c.Quorum) && len(pods) > 0 && served(v) && !anyBound(pods) {
			r.pass("nothing below composite %s was bound", c.Name)
		}
		return
	case met >= int(c.Quorum):
		r.pass("%d children of composite %s were bound, of which it needs %d", met, c.Name, c.Quorum)
		return
	}
	for _, p := range pods {
		if !lostAt(p).IsZero() && !reached(p.Finished, lostAt(p)) {
			return // with a pod lost, a sound decision may have become impossible to complete
		}
	}
	settle, took := patience(v, len(pods), first, history.Stamp{}), d.awake(first, history.Stamp{})
	objects := append([]string{"compositepodgroup " + c.Namespace + "/" + c.Name}, names(pods)...)
	if what, ok := driverChanged(v, first); ok {
		r.doubt(first, objects, "%d children of composite %s are bound, of which it needs %d, but %s at about that time", met, c.Name, c.Quorum, what)
		return
	}
	if took <= settle {
		r.doubt(first, objects, "the record ends %s after the first bind below composite %s: too early to tell (settle bound %s)", took, c.Name, settle)
		return
	}
	r.fail(first, objects, "pods below composite %s have been bound for %s while only %d of the %d children it needs are (settle bound %s)",
		c.Name, took, met, c.Quorum, settle)
}

// childrenMet is how many children of a composite have been met at some time: gangs whose quorum was bound, basic groups
// with a bound pod, and composites with enough children of their own. A circle of parents is walked once.
func childrenMet(v *history.View, c *history.Composite, seen map[string]bool) int {
	if seen[c.Name] {
		return 0
	}
	seen[c.Name] = true
	gangs, composites := v.ChildrenOf(c)
	met := map[string]bool{} // incarnations of one name are one child
	for _, g := range gangs {
		if g.Basic && anyBound(membersOf(v, g)) || !g.Basic && !v.QuorumBoundOf(g).IsZero() {
			met["gang "+g.Name] = true
		}
	}
	for _, o := range composites {
		if childrenMet(v, o, seen) >= max(1, int(o.Quorum)) {
			met["composite "+o.Name] = true
		}
	}
	return len(met)
}
