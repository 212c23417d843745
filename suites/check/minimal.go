package check

import (
	"slices"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/oracle"
	"muster/suites/premise"
)

// preemptionMinimal compares what a wave cost with what the same number of the preemptor's pods could have been placed
// for. It speaks where the cause is certain: a single unit waited that outranks the victims. Where budgets are in play,
// where resources are that the oracle does not model, or where there are too many units to try, it is silent.
var preemptionMinimal = Check{
	ID: "INV-013", Name: "PreemptionMinimal",
	Rule: `"We should always minimize (the cost of) preemptions." (KEP-5710)`,
	Func: func(v *history.View) []suites.Finding {
		r := reportFor(v, "INV-013", "PreemptionMinimal", true, "pods", "nodes")
		if !v.Ordered() || budgeted(v) {
			return nil
		}
		for _, w := range wavesOf(v) {
			minimal(v, r, w)
		}
		return r.findings()
	},
}

// budgeted reports whether the driver created a disruption budget: what it protects costs more than the oracle knows.
func budgeted(v *history.View) bool {
	return slices.ContainsFunc(v.Actions, func(a history.At[history.Event]) bool {
		return a.Value.Verb == history.VerbCreate && a.Value.Resource == "poddisruptionbudgets"
	})
}

func minimal(v *history.View, r *report, w wave) {
	all, known := contendersAt(v, w.from, w.to)
	if !known || !calmBefore(v, w.from) {
		return
	}
	var cause *contender
	for _, p := range w.pods {
		priority, known := standingOf(v, p, p.Deleting)
		if !known {
			return
		}
		for i, c := range all {
			if !c.outranks(priority) {
				continue
			}
			if cause != nil && cause != &all[i] {
				return // whose victim this is cannot be said
			}
			cause = &all[i]
		}
	}
	if cause == nil {
		return
	}
	before := v.StateBefore(w.from)
	for uid, p := range before.Pods { // what was ending already costs nothing more
		if p.Deleting && !slices.ContainsFunc(w.pods, func(o *history.Pod) bool { return o.UID == uid }) {
			delete(before.Pods, uid)
		}
	}
	units, chosen, ok := unitsIn(v, before, *cause, w)
	if !ok {
		return
	}
	placed, err := premise.RoomIn(w.without(copied(before)), cause.pods)
	if err != nil || placed < cause.need {
		return // useless is not minimal's to say
	}
	q := premise.VictimsIn(before, cause.pods, placed, units)
	least, err := q.Fewest()
	if err != nil {
		return
	}
	had, could := q.CostOf(chosen), q.CostOf(least)
	// Pods within the same number of units of the same priority are nobody's concern.
	had.Pods, could.Pods = 0, 0
	if could.Less(had) {
		r.fail(w.from, names(w.pods), "%s (priority %d) had %d units of priorities up to %d preempted for %d of its pods; %d units of priorities up to %d would have done",
			cause.name, cause.priority, had.Units, had.Priority, placed, could.Units, could.Priority)
		return
	}
	r.pass("no cheaper victims than the %d units preempted for %s", had.Units, cause.name)
}

// unitsIn are the units that the contender may evict in a state, and which of them the wave took. ok is false where the
// wave took something else.
func unitsIn(v *history.View, s *history.State, c contender, w wave) (units []oracle.Unit, chosen []int, ok bool) {
	of := map[string]int{}
	taken := map[int]bool{}
	for _, p := range v.Pods { // in order of creation, so that the result does not depend on a map
		now := s.Pods[p.UID]
		if now == nil || now.NodeName == "" || slices.Contains(c.pods, p) {
			continue
		}
		priority, known := standingOf(v, p, w.from)
		if !known || !c.outranks(priority) {
			continue
		}
		key := "pod " + p.UID
		if g := groupOf(v, p, w.from); g != nil && g.DisruptAll {
			key = "group " + g.UID
		}
		i, seen := of[key]
		if !seen {
			i = len(units)
			of[key] = i
			units = append(units, oracle.Unit{Priority: priority})
		}
		units[i].Pods = append(units[i].Pods, now.Now)
		taken[i] = taken[i] || slices.Contains(w.pods, p)
	}
	found := 0
	for i, u := range units {
		if taken[i] {
			chosen = append(chosen, i)
			found += len(u.Pods)
		}
	}
	return units, chosen, found >= len(w.pods)
}
