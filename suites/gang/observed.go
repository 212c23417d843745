package gang

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"muster/suites/history"
)

// spoken says in a few words what the pods had been told about their scheduling up to the stamp.
func spoken(pods []*history.Pod, upTo history.Stamp) string {
	told := 0
	for _, p := range pods {
		if slices.ContainsFunc(p.Rejected, func(s history.Stamp) bool { return !s.After(upTo) }) {
			told++
		}
	}
	return fmt.Sprintf("PodScheduled=False on %d of %d pods", told, len(pods))
}

// conditions lists the types and statuses of a gang's conditions at the stamp.
func conditions(g *history.Gang, at history.Stamp) string {
	if g == nil {
		return "no group"
	}
	var out []string
	for typ, timeline := range g.Conditions {
		if c, ok := history.ValueAt(timeline, at); ok && c.Status != "" {
			out = append(out, typ+"="+c.Status)
		}
	}
	if len(out) == 0 {
		return "no condition on the group"
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// nextAttempt says when, after the first stamp, one of the pods was next told that it was not scheduled. Attempts whose
// outcome is reported in the same words leave no trace and are not seen.
func nextAttempt(pods []*history.Pod, after, upTo history.Stamp) string {
	best := time.Duration(-1)
	for _, p := range pods {
		for _, r := range p.Rejected {
			if d := r.Mono - after.Mono; r.After(after) && !r.After(upTo) && (best < 0 || d < best) {
				best = d
			}
		}
	}
	if best < 0 {
		return fmt.Sprintf("no attempt reported within %s", (upTo.Mono - after.Mono).Round(time.Second))
	}
	return fmt.Sprintf("attempt reported after %s", best.Round(100*time.Millisecond))
}
