package check

import (
	"muster/suites"
	"muster/suites/history"
)

var preemptionAtomic = Check{
	ID: "INV-012", Name: "PreemptionAtomic",
	Rule: `"all specifies that all children can only be disrupted together." (scheduling/v1beta1 DisruptionMode.all)`,
	Func: func(v *history.View) []suites.Finding {
		r := reportFor(v, "INV-012", "PreemptionAtomic", true, "pods")
		d := dutyOf(v)
		for _, g := range v.Gangs {
			if g.DisruptAll && g.Parent == "" && !unreadable(g) {
				atomic(v, d, r, g)
			}
		}
		return r.findings()
	},
}

// atomic looks at the first preemption of a member: within the settle bound every other member that ran then has to be on
// its way out. A member that was bound only a moment before may not have been known.
func atomic(v *history.View, d duty, r *report, g *history.Gang) {
	members := membersOf(v, g)
	var first *history.Pod
	for _, p := range members {
		if v.Preempted(p) && reached(g.Created, p.Deleting) && !reached(g.Gone, p.Deleting) && (first == nil || p.Deleting.Before(first.Deleting)) {
			first = p
		}
	}
	if first == nil {
		return
	}
	settle := v.Settle(len(members))
	var left, open, young []*history.Pod
	for _, p := range members {
		if p == first || !p.BoundAt(first.Deleting) {
			continue
		}
		if first.Deleting.Since(p.Bound) <= lag {
			if p.BoundAt(v.Now()) {
				young = append(young, p)
			}
			continue
		}
		if d.awake(first.Deleting, lostAt(p)) > settle {
			left = append(left, p)
		} else if p.BoundAt(v.Now()) {
			open = append(open, p)
		}
	}
	switch {
	case len(left) > 0 && len(v.Crashes) > 0:
		return // a scheduler that has ended finishes nothing; that is NoCrash's to say
	case len(left) > 0:
		r.fail(first.Deleting, append([]string{gangName(g), podName(first)}, names(left)...),
			"%s %s is only disrupted together: pod %s was preempted, and %d other members ran on for longer than %s", kind(g), g.Name, first.Name, len(left), settle)
	case len(open) > 0:
		r.doubt(first.Deleting, []string{gangName(g), podName(first)}, "the record ends before it is known whether all of %s %s was preempted", kind(g), g.Name)
	case len(young) > 0:
		return // they ran on, and may have been bound too late to be known
	default:
		r.pass("%s %s was preempted as a whole", kind(g), g.Name)
	}
}
