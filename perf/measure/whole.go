package measure

import (
	"time"

	"muster/suites/history"
)

// incompleteAt are the members of gangs that could not be bound before a time for want of pods: the gang's quorum had not
// been created, or that of another gang with which it is scheduled together. at is when pods were created.
func incompleteAt(t *Tape, at map[*history.Pod]time.Duration, last time.Duration) map[*history.Pod]bool {
	lacking, members := map[string]bool{}, map[string][]*history.Pod{}
	for _, g := range t.View.Gangs {
		if g.Basic || len(g.Quorum) == 0 {
			continue
		}
		unit, mine, before := unitOfGang(t.View, g), membersOf(t.View, g), int32(0)
		for _, p := range mine {
			if made, ok := at[p]; ok && made < last {
				before++
			}
		}
		members[unit] = append(members[unit], mine...)
		lacking[unit] = lacking[unit] || before < g.Quorum[0].Value
	}
	out := map[*history.Pod]bool{}
	for unit, all := range members {
		for _, p := range all {
			out[p] = lacking[unit]
		}
	}
	return out
}

// unitOfGang is the UID of what a gang is scheduled together with: the highest composite above it below which nothing is
// scheduled by itself, or the gang.
func unitOfGang(v *history.View, g *history.Gang) string {
	unit := g.UID
	for _, c := range v.AncestorsOf(g.Namespace, g.Parent) {
		if c.Basic {
			break
		}
		unit = c.UID
	}
	return unit
}
