package measure

import (
	corev1 "k8s.io/api/core/v1"

	"muster/suites/history"
)

// unschedulable is the reason, of a group's condition as of a pod's, that stands for the verdict that there is no place.
const unschedulable = corev1.PodReasonUnschedulable

// refusedAt is when a gang was first told, from its start on, that it cannot be scheduled; zero: never. An earlier word is
// of a gang that was not whole. So may be one that was on its way when the last member came: a verdict counts before
// whatever else was said (that it waits), and that only of schedulers that give no verdict in upstream's word.
func refusedAt(g *history.Gang, members []*history.Pod, start history.Stamp) history.Stamp {
	var verdict, word history.Stamp
	said := func(at history.Stamp, reason string) {
		if at.Mono < start.Mono {
			return
		}
		if word.IsZero() || at.Mono < word.Mono {
			word = at
		}
		if reason == unschedulable && (verdict.IsZero() || at.Mono < verdict.Mono) {
			verdict = at
		}
	}
	for _, c := range g.Satisfied {
		if c.Value.Status == "False" {
			said(c.Stamp, c.Value.Reason)
		}
	}
	for _, p := range members {
		for _, at := range p.Rejected {
			c, _ := history.ValueAt(p.Conditions[string(corev1.PodScheduled)], at)
			said(at, c.Reason)
		}
	}
	if verdict.IsZero() {
		return word
	}
	return verdict
}
