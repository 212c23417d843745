package check

import (
	"muster/suites"
	"muster/suites/history"
)

// satisfiedIsFinal holds COND-004 over every history, and not only over the scenarios that are about it: a condition
// that goes back is a race more often than a rule, and races show where nobody looked for them.
var satisfiedIsFinal = Check{
	ID: "COND-004", Name: "SatisfiedIsFinal",
	Rule: `"Once this condition transitions to True, it serves as a terminal state and will never revert to False, even if pods are subsequently evicted and group constraints are no longer met." (scheduling/v1beta1 PodGroupStatus.conditions)`,
	Func: func(v *history.View) []suites.Finding {
		r := reportFor(v, "COND-004", "SatisfiedIsFinal", true)
		for _, g := range v.Gangs {
			if len(g.Satisfied) == 0 || unreadable(g) || driverWroteStatus(v, g) {
				continue
			}
			if s, gone := leftTrue(g); gone {
				r.fail(s.Stamp, []string{gangName(g)}, "the condition of %s %s went from True to %q", kind(g), g.Name, s.Value.Status)
				continue
			}
			if last, _ := history.Latest(g.Satisfied); last.Status == "True" {
				r.pass("the condition of %s %s was True from then on", kind(g), g.Name)
			}
		}
		return r.findings()
	},
}

// leftTrue is the first thing other than True that the condition said after it had been True.
func leftTrue(g *history.Gang) (history.At[history.Condition], bool) {
	was := false
	for _, s := range g.Satisfied {
		if was && s.Value.Status != "True" {
			return s, true
		}
		was = was || s.Value.Status == "True"
	}
	return history.At[history.Condition]{}, false
}
