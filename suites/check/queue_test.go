package check

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/premise"
)

// hadChance asks at every state, whatever changed in it: what the queue must know without asking.
func hadChance(v *history.View, g *history.Gang) (had, first bool) {
	c := newChance(v, g, 0)
	least := int32(0)
	v.Replay(func(s *history.State, at history.Stamp) bool {
		if at.Before(g.Created) {
			return true
		}
		if c.gone(at) {
			return false
		}
		if q, ok := history.ValueAt(g.Quorum, at); ok && (least == 0 || q < least) {
			least = q
		}
		var todo []*history.Pod
		for _, p := range c.members {
			if now := s.Pods[p.UID]; now != nil && now.NodeName == "" && !now.Gated && !now.Deleting {
				todo = append(todo, p)
			}
		}
		need := int(least) - len(bound(c.members, at))
		if least > 0 && need <= len(todo) {
			impossible, err := premise.ImpossibleIn(s, todo, need)
			had = had || err == nil && !impossible
		}
		return !had
	})
	return had, !c.first.IsZero()
}

// Looking only at the gangs that a state can touch finds what looking at all of them at every state finds.
func TestTheQueueMissesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			w.step(t)
			switch rapid.IntRange(0, 2).Draw(t, "mood") {
			case 0:
				w.honest()
			case 1:
				w.careless()
			}
		}
		v := w.View()
		var want []string
		for _, g := range v.Gangs {
			if had, first := hadChance(v, g); first && !had {
				want = append(want, gangName(g))
			}
		}
		got := map[string]bool{}
		for _, f := range noBindWhenInfeasible.Func(v) {
			if f.Verdict == suites.Fail {
				got[f.Objects[0]] = true
			}
		}
		slices.Sort(want)
		if found := slices.Sorted(maps.Keys(got)); !slices.Equal(found, want) {
			t.Fatalf("infeasible binds of %v, asking at every state finds %v", found, want)
		}
	})
}
