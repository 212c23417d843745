package check

import (
	"fmt"
	"slices"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/oracle"
	"muster/suites/premise"
)

var noBindWhenInfeasible = Check{
	ID: "INV-002", Name: "NoBindWhenInfeasible",
	Rule: `"minCount is the minimum number of pods that must be schedulable or scheduled at the same time for the scheduler to admit the entire group." (scheduling/v1beta1 GangSchedulingPolicy.minCount)`,
	Func: func(v *history.View) []suites.Finding {
		r := reportFor(v, "INV-002", "NoBindWhenInfeasible", true, "pods", "nodes")
		q := newQueue(v, r)
		if len(q.coming) == 0 {
			return nil
		}
		v.Replay(q.see)
		q.finish()
		return r.findings()
	},
}

// chance follows one gang through the states until one is found in which its quorum could have been placed.
type chance struct {
	g       *history.Gang
	members []*history.Pod
	// number is its place in the order of creation.
	number int
	state  progressing
	// first is the first bind by the scheduler under test, before the quorum was met; zero: none.
	first history.Stamp
	// ties: a member carries rules about other pods, so that placing pods can make room.
	ties bool
	// least is the smallest quorum seen so far.
	least int32
	// placed is how many members hold a node, need how many more the quorum takes, todo who can be placed in thought.
	placed, need int
	todo         premise.Asked
	there        int
	// kinds of the members, as far as they were asked about.
	kinds map[*history.Pod]*premise.Kind
	// seen is the last question asked, to ask again only when it is another.
	seen question
	// had: there was a state in which the quorum could be placed.
	had bool
	// unknown is why a state could not be decided.
	unknown error
	// most is the greatest number of members that could count at any time, for the message.
	most int
	// room is the greatest number of members that could stand on nodes at any time, for the message.
	room int
}

// progressing is how far a chance has come.
type progressing int

const (
	chanceComing progressing = iota // its gang does not exist yet
	chanceOpen
	chanceTouched // open, and something of its gang is other than when it was counted last
	chanceClosed
)

// question is what of a gang decides the answer in one state of everything else; the zero value is none.
type question struct {
	least         int32
	placed, there int
}

func newChance(v *history.View, g *history.Gang, number int) *chance {
	c := &chance{g: g, members: membersOf(v, g), number: number, kinds: map[*history.Pod]*premise.Kind{}}
	c.first = firstBind(c.members, g)
	if met := v.QuorumBoundOf(g); met.Before(c.first) {
		c.first = history.Stamp{} // the quorum stood before the scheduler bound anything
	}
	c.ties = slices.ContainsFunc(c.members, func(p *history.Pod) bool { return oracle.Ties(p.First) })
	return c
}

// gone reports that nothing after at can excuse or accuse: the first bind lies before, or the gang has ended.
func (c *chance) gone(at history.Stamp) bool {
	return !c.first.IsZero() && !at.Before(c.first) || reached(c.g.Gone, at)
}

// count takes in what has become of the gang itself. Members that are bound count; those that exist and are neither gated
// nor on their way out are placed in thought, even those that another scheduler serves: the check only ever errs toward a
// chance.
func (c *chance) count(rooms *premise.Rooms, s *history.State, at history.Stamp) {
	if q, ok := history.ValueAt(c.g.Quorum, at); ok && (c.least == 0 || q < c.least) {
		c.least = q
	}
	c.placed = 0
	var todo []*history.Pod
	for _, p := range c.members {
		if holds(p, at) {
			c.placed++
		}
		if now := s.Pods[p.UID]; now != nil && now.NodeName == "" && !now.Gated && !now.Deleting {
			todo = append(todo, p)
		}
	}
	c.there = len(todo)
	c.most = max(c.most, c.placed+c.there)
	c.need = int(c.least) - c.placed
	if !c.asks() {
		c.seen = question{} // when as many exist again, they may be others
		return
	}
	kinds := make([]*premise.Kind, len(todo))
	for i, p := range todo {
		k, known := c.kinds[p]
		if !known {
			k = rooms.KindOf(p)
			c.kinds[p] = k
		}
		kinds[i] = k
	}
	c.todo = rooms.Asked(todo, kinds)
}

// asks reports whether there is something to ask: enough members exist.
func (c *chance) asks() bool { return c.least != 0 && c.need <= c.there }

// look asks whether the quorum could be placed in this state.
func (c *chance) look(rooms *premise.Rooms) {
	asked := question{c.least, c.placed, c.there}
	if !c.asks() || asked == c.seen {
		return
	}
	c.seen = asked
	impossible, err := rooms.Impossible(c.todo, c.need)
	if err != nil {
		c.unknown = err
		return
	}
	c.had = !impossible
	if impossible && !c.first.IsZero() {
		c.room = max(c.room, c.placed+rooms.Most(c.todo, c.need-1))
	}
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
