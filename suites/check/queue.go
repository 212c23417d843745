package check

import (
	"cmp"
	"slices"

	"muster/suites/history"
	"muster/suites/premise"
)

// queue walks a replay with the chances of all gangs. Most states tell of something that touches none of them: a gang is
// looked at when it came, when its object or a member changed, or when room may have come for it.
type queue struct {
	v *history.View
	r *report
	// coming are those to come, open those that exist and have neither had their chance nor lost it, in order of creation.
	// Some of the open may have been closed since; closed is how many.
	coming, open []*chance
	closed       int
	// ofPod and ofGang are the chances by what they depend on: pods by UID, gangs by namespace/name.
	ofPod, ofGang map[string][]*chance
	room          premise.Watcher
	rooms         premise.Rooms
	// touched are the chances that have to be counted anew in this state.
	touched []*chance
}

func newQueue(v *history.View, r *report) *queue {
	q := &queue{v: v, r: r, ofPod: map[string][]*chance{}, ofGang: map[string][]*chance{}}
	for _, g := range v.Gangs {
		if g.Basic || len(g.Quorum) == 0 {
			continue
		}
		c := newChance(v, g, len(q.coming))
		q.coming = append(q.coming, c)
		for _, p := range c.members {
			q.ofPod[p.UID] = append(q.ofPod[p.UID], c)
		}
		key := g.Namespace + "/" + g.Name
		q.ofGang[key] = append(q.ofGang[key], c)
	}
	return q
}

// see takes the next state of the replay. It reports whether any gang is left to follow.
func (q *queue) see(s *history.State, at history.Stamp) bool {
	moved := q.room.See(s)
	q.rooms.See(s)
	q.touched = q.touched[:0]
	for len(q.coming) > 0 && !at.Before(q.coming[0].g.Created) {
		q.coming[0].state = chanceOpen
		q.touch(q.coming[:1])
		q.open, q.coming = append(q.open, q.coming[0]), q.coming[1:]
	}
	for _, uid := range s.Delta.Pods {
		q.touch(q.ofPod[uid])
	}
	for _, key := range s.Delta.Gangs {
		q.touch(q.ofGang[key])
	}
	these := q.touched
	if moved == premise.Still {
		slices.SortFunc(these, func(a, b *chance) int { return cmp.Compare(a.number, b.number) })
	} else {
		these = q.open
	}
	for _, c := range these {
		q.look(c, s, at, moved)
	}
	q.tidy()
	return len(q.open)+len(q.coming) > 0
}

// touch marks those of the chances that are open.
func (q *queue) touch(all []*chance) {
	for _, c := range all {
		if c.state == chanceOpen {
			c.state = chanceTouched
			q.touched = append(q.touched, c)
		}
	}
}

// look counts a chance where it was touched, asks where the answer may be another, and closes it when it is known.
func (q *queue) look(c *chance, s *history.State, at history.Stamp, moved premise.Move) {
	if c.state == chanceClosed {
		return
	}
	if c.state == chanceTouched {
		c.state = chanceOpen
		if c.gone(at) {
			q.done(c)
			return
		}
		c.count(&q.rooms, s, at)
	}
	if moved == premise.Moved || moved == premise.Filled && c.ties {
		c.seen = question{} // whatever was asked before was asked about other room
	}
	if c.look(&q.rooms); c.had {
		q.done(c)
	}
}

func (q *queue) done(c *chance) {
	c.close(q.v, q.r)
	c.state, c.members, c.kinds, c.todo = chanceClosed, nil, nil, premise.Asked{} // there may be very many
	q.closed++
}

// tidy forgets the closed ones once they are many.
func (q *queue) tidy() {
	if q.closed*2 > len(q.open) {
		q.open = slices.DeleteFunc(q.open, func(c *chance) bool { return c.state == chanceClosed })
		q.closed = 0
	}
}

// finish closes those that are left when the record ends.
func (q *queue) finish() {
	for _, c := range slices.Concat(q.open, q.coming) {
		if c.state != chanceClosed {
			q.done(c)
		}
	}
}
