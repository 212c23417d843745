package kit

import (
	"muster/suites/history"
	"muster/suites/premise"
)

// ShortByOne is the premise that at the stamp all but one of the pods would have fitted.
func (c *Case) ShortByOne(at history.Stamp, pods []*history.Pod) { c.RoomFor(at, pods, len(pods)-1) }

// RoomFor is the premise that at the stamp exactly n of the pods would have fitted.
func (c *Case) RoomFor(at history.Stamp, pods []*history.Pod, n int) {
	if !c.asked(at, pods) {
		return
	}
	got, err := premise.Room(c.v, at, pods)
	c.Premise(got == n, err, "room for exactly %d of %d pods (there was room for %d)", n, len(pods), got)
}

// Fits is the premise that at the stamp all the pods would have fitted together.
func (c *Case) Fits(at history.Stamp, pods []*history.Pod) {
	if !c.asked(at, pods) {
		return
	}
	ok, err := premise.Fits(c.v, at, pods)
	c.Premise(ok, err, "room for all %d pods", len(pods))
}

// NeverRoom is the premise that between the stamps there was never room for n of the pods at the same time.
func (c *Case) NeverRoom(from, to history.Stamp, pods []*history.Pod, n int) {
	if !c.asked(from, pods) || !c.asked(to, pods) {
		return
	}
	ok, err := premise.NeverRoom(c.v, from, to, pods, n)
	c.Premise(ok, err, "no room for %d of %d pods at any time", n, len(pods))
}

// Exist is the premise that the gang had exactly n members (all incarnations counted).
func (c *Case) Exist(gang string, n int) []*history.Pod {
	m := c.v.Members(gang)
	c.Premise(len(m) == n, nil, "gang %s has %d members (seen: %d)", gang, n, len(m))
	return m
}

// asked reports whether a question about room can be put at all. A missing stamp has its premise noted where it was
// looked up, so nothing is said twice; no pods at all is a premise of its own.
func (c *Case) asked(at history.Stamp, pods []*history.Pod) bool {
	c.Premise(len(pods) > 0, nil, "there are pods to place")
	return len(pods) > 0 && !at.IsZero()
}
