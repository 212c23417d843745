package check

import (
	"fmt"
	"slices"
	"sort"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/premise"
)

var noBindWhenInfeasible = Check{
	ID: "INV-002", Name: "NoBindWhenInfeasible",
	Rule: `"minCount is the minimum number of pods that must be schedulable or scheduled at the same time for the scheduler to admit the entire group." (scheduling/v1beta1 GangSchedulingPolicy.minCount)`,
	Func: func(v *history.View) []suites.Finding {
		r := reportFor(v, "INV-002", "NoBindWhenInfeasible", true, "pods", "nodes")
		// Those to come, in order of creation: before that there is nothing to ask, and a long record has many of them.
		var open, coming []*chance
		for _, g := range v.Gangs {
			if !g.Basic && len(g.Quorum) > 0 {
				coming = append(coming, newChance(v, g))
			}
		}
		if len(coming) == 0 {
			return nil
		}
		var room premise.Watcher
		v.Replay(func(s *history.State, at history.Stamp) bool {
			moved := room.See(s)
			for len(coming) > 0 && !at.Before(coming[0].g.Created) {
				open, coming = append(open, coming[0]), coming[1:]
			}
			open = slices.DeleteFunc(open, func(c *chance) bool {
				if c.gone(at) {
					c.close(v, r)
					return true
				}
				c.look(s, at, moved)
				if c.had {
					c.close(v, r)
				}
				return c.had
			})
			return len(open)+len(coming) > 0
		})
		for _, c := range slices.Concat(open, coming) {
			c.close(v, r)
		}
		return r.findings()
	},
}

// chance follows one gang through the states until one is found in which its quorum could have been placed.
type chance struct {
	g       *history.Gang
	members []*history.Pod
	// first is the first bind by the scheduler under test, before the quorum was met; zero: none.
	first history.Stamp
	// least is the smallest quorum seen so far.
	least int32
	// had: there was a state in which the quorum could be placed.
	had bool
	// seen is the last question asked, to ask again only when it is another.
	seen string
	// unknown is why a state could not be decided.
	unknown error
	// most is the greatest number of members that could count at any time, for the message.
	most int
	// room is the greatest number of members that could stand on nodes at any time, for the message.
	room int
}

func newChance(v *history.View, g *history.Gang) *chance {
	c := &chance{g: g, members: membersOf(v, g)}
	c.first = firstBind(c.members, g)
	if met := v.QuorumBoundOf(g); met.Before(c.first) {
		c.first = history.Stamp{} // the quorum stood before the scheduler bound anything
	}
	return c
}

// gone reports that nothing after at can excuse or accuse: the first bind lies before, or the gang has ended.
func (c *chance) gone(at history.Stamp) bool {
	return !c.first.IsZero() && !at.Before(c.first) || reached(c.g.Gone, at)
}

// look asks whether the quorum could be placed in this state. Members that are bound count; those that exist and are
// neither gated nor on their way out are placed in thought, even those that another scheduler serves: the check only
// ever errs toward a chance.
func (c *chance) look(s *history.State, at history.Stamp, moved premise.Move) {
	if at.Before(c.g.Created) {
		return
	}
	if moved.Matters(c.members) {
		c.seen = "" // whatever was asked before was asked about other room
	}
	if q, ok := history.ValueAt(c.g.Quorum, at); ok && (c.least == 0 || q < c.least) {
		c.least = q
	}
	placed := len(bound(c.members, at))
	var todo []*history.Pod
	for _, p := range c.members {
		if now := s.Pods[p.UID]; now != nil && now.NodeName == "" && !now.Gated && !now.Deleting {
			todo = append(todo, p)
		}
	}
	c.most = max(c.most, placed+len(todo))
	need := int(c.least) - placed
	if c.least == 0 || need > len(todo) {
		c.seen = "" // when as many exist again, they may be others
		return
	}
	asked := fmt.Sprint(c.least, placed, len(todo))
	if asked == c.seen {
		return
	}
	c.seen = asked
	impossible, err := premise.ImpossibleIn(s, todo, need)
	if err != nil {
		c.unknown = err
		return
	}
	c.had = !impossible
	if impossible && err == nil && !c.first.IsZero() {
		c.room = max(c.room, placed+roomIn(s, todo, need-1))
	}
}

// roomIn is the greatest number up to most of the pods that can be placed in the state. Where one more can, so can all
// fewer, so halving finds it.
func roomIn(s *history.State, pods []*history.Pod, most int) int {
	return sort.Search(most, func(n int) bool {
		impossible, err := premise.ImpossibleIn(s, pods, n+1)
		return err != nil || impossible
	})
}

// close says what is known about the gang now.
func (c *chance) close(v *history.View, r *report) {
	g := c.g
	switch {
	case c.had && !c.first.IsZero():
		r.pass("gang %s could be placed before its first bind", g.Name)
	case c.had:
		// It could be placed and was not bound, or not by the scheduler under test: nothing to say here.
	case c.first.IsZero():
		if c.unknown == nil && len(c.members) > 0 && served(v) && !anyBound(c.members) {
			r.pass("gang %s, whose quorum could at no time be placed, was left unbound", g.Name)
		}
	case unreadable(g):
		r.doubt(c.first, []string{gangName(g)}, "a member of gang %s was bound; its object could not be read: %s", g.Name, g.Problems[0].Value)
	case c.unknown != nil:
		r.doubt(c.first, []string{gangName(g)}, "whether gang %s could be placed before its first bind is not known: %v", g.Name, c.unknown)
	default:
		objects := append([]string{gangName(g)}, names(boundAt(c.members, c.first))...)
		what := fmt.Sprintf("at no time between its creation and this bind could gang %s reach its quorum of %d (%s)",
			g.Name, c.least, c.limit())
		// How many members existed is told by one stream, in order; whether there was room compares several.
		if !v.Ordered() && c.most >= int(c.least) {
			r.doubt(c.first, objects, "%s, but this record does not order pods against nodes", what)
			return
		}
		r.fail(c.first, objects, "%s, yet a member was bound", what)
	}
}

// limit says what kept the gang below its quorum at all times.
func (c *chance) limit() string {
	if c.most < int(c.least) {
		return fmt.Sprintf("at most %d members existed ungated", c.most)
	}
	return fmt.Sprintf("there was room for at most %d of the %d", c.room, c.least)
}

func anyBound(members []*history.Pod) bool {
	return slices.ContainsFunc(members, func(p *history.Pod) bool { return !p.Bound.IsZero() })
}

func boundAt(members []*history.Pod, s history.Stamp) []*history.Pod {
	return slices.DeleteFunc(slices.Clone(members), func(p *history.Pod) bool { return !p.ByScheduler() || p.Bound.After(s) })
}
