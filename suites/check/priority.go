package check

import (
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/oracle"
	"muster/suites/premise"
)

var priorityAtRest = Check{
	ID: "INV-006", Name: "PriorityAtRest",
	Rule: `"The higher the value, the higher the priority." (scheduling/v1beta1 PodGroupSpec.priority)`,
	Func: func(v *history.View) []suites.Finding {
		r := reportFor(v, "INV-006", "PriorityAtRest", true, "pods", "nodes")
		if !served(v) || len(v.Crashes) > 0 {
			return nil
		}
		d := dutyOf(v)
		placed := boundUnits(v)
		moved := sync.OnceValue(func() history.Stamp { return lastMove(v) })
		for _, h := range waitingUnits(v) {
			if h.clean && policyOf(h.pods[0]) != string(corev1.PreemptNever) {
				overtaken(v, d, r, h, placed, moved)
			}
		}
		for i, h := range placed {
			for _, g := range v.Gangs {
				if yielded(v, g, h) {
					r.pass("%s (priority %d) was bound and gang %s (priority %d), complete before, was not, or not any more",
						h.name, h.priority, g.Name, g.Priority)
				}
			}
			for _, l := range placed[i+1:] {
				hi, lo := h, l
				if hi.priority < lo.priority {
					hi, lo = lo, hi
				}
				if hi.priority > lo.priority && rivals(hi, lo) && hi.complete.Before(lo.first) && lo.complete.Before(hi.first) {
					r.pass("%s (priority %d) did not wait behind %s (priority %d)", hi.name, hi.priority, lo.name, lo.priority)
				}
			}
		}
		return r.findings()
	},
}

// yielded reports a gang of lower priority and the same shape that could have had h's place when h was first bound, and
// holds none at the end: it still waits, or it was bound first and evicted, which is another way to the same rest.
func yielded(v *history.View, g *history.Gang, h *placedUnit) bool {
	if g.Basic || g == h.gang || g.Priority >= h.priority || !h.complete.Before(h.first) {
		return false
	}
	quorum, ok := history.ValueAt(g.Quorum, h.first)
	members := membersOf(v, g)
	if !ok || len(members) == 0 || !oracle.Alike(specsOf(slices.Concat(h.pods, members))) {
		return false
	}
	there, held := 0, 0
	for _, p := range members {
		if p.Created.Before(h.first) {
			there++
		}
		if p.BoundAt(v.Now()) {
			held++
		}
	}
	return there >= int(quorum) && held < int(quorum)
}

// placedUnit is a gang or plain pod that the scheduler under test has bound.
type placedUnit struct {
	unit
	// first is its first bind.
	first history.Stamp
}

// boundUnits are the gangs and plain pods that the scheduler bound and that still hold their nodes at the end.
func boundUnits(v *history.View) []*placedUnit {
	var out []*placedUnit
	for _, g := range v.Gangs {
		if g.Basic || v.QuorumBoundOf(g).IsZero() || g.Parent != "" { // of a tree, the root's priority counts
			continue
		}
		members := membersOf(v, g)
		u := &placedUnit{unit: unit{name: "gang " + g.Name, gang: g, priority: g.Priority, complete: g.Created}}
		u.first = firstBind(members, g)
		for _, p := range members {
			if p.ByScheduler() && p.BoundAt(v.Now()) {
				u.pods = append(u.pods, p)
				u.complete = latest(u.complete, ready(p))
			}
		}
		if len(u.pods) > 0 && !u.first.IsZero() {
			out = append(out, u)
		}
	}
	for _, p := range v.Pods {
		if p.Gang == "" && p.ByScheduler() && p.BoundAt(v.Now()) {
			out = append(out, &placedUnit{unit: unit{name: "pod " + p.Name, pods: []*history.Pod{p}, priority: p.Priority,
				complete: ready(p)}, first: p.Bound})
		}
	}
	return out
}

// rivals reports whether two units ask for the same kind of place.
func rivals(a, b *placedUnit) bool { return oracle.Alike(specsOf(slices.Concat(a.pods, b.pods))) }

// overtaken looks for a unit of lower priority that was given the room for which h, complete before, waits. It is
// strict: h would fit exactly without that unit, did fit right before it was bound, and nothing has changed since for
// longer than h's settle bound. moved is when nodes or placed pods last changed.
func overtaken(v *history.View, d duty, r *report, h *unit, placed []*placedUnit, moved func() history.Stamp) {
	rest := latest(h.complete, moved())
	if d.awake(rest, history.Stamp{}) <= patience(v, h.members, rest, history.Stamp{}) || promised(v, rest) {
		return
	}
	for _, l := range placed {
		if l.priority >= h.priority || !h.complete.Before(l.first) || l.first.Since(h.complete) <= lag ||
			!oracle.Alike(specsOf(slices.Concat(h.pods, l.pods))) {
			continue
		}
		end := v.StateAt(v.Now())
		for _, p := range l.pods {
			delete(end.Pods, p.UID)
		}
		fits, err := premise.FeasibleIn(end, h.pods, h.need)
		if err != nil || !fits {
			continue
		}
		then, err := premise.FeasibleIn(v.StateBefore(l.first), h.pods, h.need)
		if err != nil || !then {
			continue
		}
		objects := append(names(h.pods), names(l.pods)...)
		if !v.Ordered() {
			r.doubt(l.first, objects, "%s (priority %d) waits while %s (priority %d) has its room, but this record does not order pods against nodes",
				h.name, h.priority, l.name, l.priority)
			return
		}
		r.fail(l.first, objects, "%s (priority %d) was complete and fitted when %s (priority %d) was bound instead, and has waited ever since",
			h.name, h.priority, l.name, l.priority)
		return
	}
}

// lastMove is when nodes or placed pods last changed.
func lastMove(v *history.View) (last history.Stamp) {
	var room premise.Watcher
	v.Replay(func(s *history.State, at history.Stamp) bool {
		if at.After(v.Now()) {
			return false
		}
		if room.Changed(s) {
			last = at
		}
		return true
	})
	return last
}
