package check

import (
	"fmt"
	"slices"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/premise"
)

// preemptionJustified looks at every wave of preemptions: somebody of higher priority than each victim waited, could not
// be placed without it, and can be placed with it. It errs toward the scheduler: whoever waited at about that time may
// have been the cause, and victims of several causes are taken together.
var preemptionJustified = Check{
	ID: "INV-011", Name: "PreemptionJustified",
	Rule: `"If removing all potential victims would not make the preemptor schedulable, the preemptor is unschedulable with preemption in currently considered domain D." (KEP-5710)`,
	Func: func(v *history.View) []suites.Finding {
		r := reportFor(v, "INV-011", "PreemptionJustified", true, "pods", "nodes")
		for _, w := range wavesOf(v) {
			justify(v, r, w)
		}
		return r.findings()
	},
}

func justify(v *history.View, r *report, w wave) {
	all, known := contendersAt(v, w.from, w.to)
	if !known {
		return
	}
	var legal []contender
	for _, p := range w.pods {
		priority, known := standingOf(v, p, p.Deleting)
		if !known {
			return
		}
		above := slices.DeleteFunc(slices.Clone(all), func(c contender) bool { return !c.outranks(priority) })
		if len(above) == 0 {
			r.fail(p.Deleting, []string{podName(p)}, "pod %s was preempted at priority %d, but nobody of higher priority waited who could preempt", p.Name, priority)
			return
		}
		for _, c := range above {
			if !slices.ContainsFunc(legal, func(o contender) bool { return o.name == c.name && o.gang == c.gang }) {
				legal = append(legal, c)
			}
		}
	}
	before := v.StateBefore(w.from)
	cause, err := servedBy(v, w, before, legal)
	switch {
	case err != nil:
		r.doubt(w.from, names(w.pods), "whether %d preemptions made room for anybody is not known: %v", len(w.pods), err)
	case cause == "" && (!v.Ordered() || !calmBefore(v, w.from)):
		r.doubt(w.from, names(w.pods), "%d preemptions made room for nobody, but the cluster changed at about that time", len(w.pods))
	case cause == "":
		r.fail(w.from, names(w.pods), "%d pods were preempted, and none of those that waited (%s) would fit with them gone", len(w.pods), listed(legal))
	case needless(v, w, before, legal):
		r.fail(w.from, names(w.pods), "%d pods were preempted although all that waited (%s) fitted without it", len(w.pods), listed(legal))
	default:
		r.pass("%d preempted pods made room for %s", len(w.pods), cause)
	}
}

// servedBy is a contender that can be placed with the wave's victims gone; empty for none.
func servedBy(v *history.View, w wave, before *history.State, legal []contender) (string, error) {
	for _, s := range []*history.State{before, v.StateAt(w.to)} {
		s := w.without(copied(s))
		for _, c := range legal {
			impossible, err := premise.ImpossibleIn(s, c.pods, c.need)
			if err != nil {
				return "", fmt.Errorf("%s: %w", c.name, err)
			}
			if !impossible {
				return c.name, nil
			}
		}
	}
	return "", nil
}

// needless reports whether everybody who waited fitted at the same time, without any preemption, right before the wave,
// and nothing had changed shortly before.
func needless(v *history.View, w wave, before *history.State, legal []contender) bool {
	if !v.Ordered() || !calmBefore(v, w.from) {
		return false
	}
	var pods []*history.Pod
	for _, c := range legal {
		if c.gang != nil && c.gang.TopologyKey != "" {
			return false
		}
		pods = append(pods, c.pods...)
	}
	// Those of them that were bound by then stand where they are; everybody else is to be placed.
	pods = slices.DeleteFunc(pods, func(p *history.Pod) bool { return before.Pods[p.UID] != nil && before.Pods[p.UID].NodeName != "" })
	if len(pods) == 0 {
		return false
	}
	fits, err := premise.FeasibleIn(before, pods, len(pods))
	return err == nil && fits
}

func listed(contenders []contender) string {
	out := ""
	for i, c := range contenders {
		if i > 0 {
			out += ", "
		}
		out += fmt.Sprintf("%s: %d of %d pods at priority %d", c.name, c.need, len(c.pods), c.priority)
	}
	return out
}
