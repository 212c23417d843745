package check

import (
	"slices"

	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"muster/suites/history"
	"muster/suites/oracle"
)

// unit is what waits at the end of a view and is scheduled as one: a gang that has not met its quorum, or a pod that
// stands for itself (plain, or a member of a basic group).
type unit struct {
	name string
	gang *history.Gang // nil for a plain pod
	// pods wait; need of them must be placed at the same time.
	pods []*history.Pod
	need int
	// members is the size for the settle bound.
	members  int
	priority int32
	// complete is when its last piece came: group, members, gates removed, quorum changed.
	complete history.Stamp
	// clean: nothing about it excuses a scheduler from placing it: see newGangUnit.
	clean bool
}

// waitingUnits are the units that wait at the end of the view. A group that is missing, being deleted or part of a
// composite does not make one, nor do pods of other schedulers.
func waitingUnits(v *history.View) []*unit {
	now := v.Now()
	var out []*unit
	for _, g := range v.Gangs {
		if reached(g.Gone, now) || reached(g.Deleting, now) || unreadable(g) || g.Parent != "" {
			continue
		}
		if g.Basic {
			out = append(out, basicUnits(v, g, now)...)
		} else if u := gangUnit(v, g, now); u != nil {
			out = append(out, u)
		}
	}
	for _, p := range v.Pods {
		if p.Gang == "" && waits(p, now) {
			out = append(out, &unit{
				name: "pod " + p.Name, pods: []*history.Pod{p}, need: 1, members: 1, priority: p.Priority,
				complete: ready(p), clean: parses(p),
			})
		}
	}
	return out
}

// waits reports a pod that the scheduler under test could bind at s: its own, ungated, alive, not bound.
func waits(p *history.Pod, s history.Stamp) bool {
	gated, _ := history.ValueAt(p.Gated, s)
	return p.Ours && p.ActiveAt(s) && !reached(p.Bound, s) && !gated
}

// ready is when a pod came and its last gate went.
func ready(p *history.Pod) history.Stamp {
	s := p.Created
	if n := len(p.Gated); n > 1 {
		s = latest(s, p.Gated[n-1].Stamp)
	}
	return s
}

// gangUnit is the gang at the end of the view; nil if it waits for nothing: its quorum was met once, or too few
// members exist.
func gangUnit(v *history.View, g *history.Gang, now history.Stamp) *unit {
	if !v.QuorumBoundOf(g).IsZero() {
		return nil
	}
	quorum, ok := history.ValueAt(g.Quorum, now)
	if !ok {
		return nil
	}
	u := &unit{name: "gang " + g.Name, gang: g, priority: g.Priority, complete: latest(g.Created, g.Quorum[len(g.Quorum)-1].Stamp)}
	members := membersOf(v, g)
	u.clean = consistent(members, g, now) && g.TopologyKey == ""
	for _, p := range members {
		u.complete = latest(u.complete, ready(p), p.Bound, lostAt(p))
		if waits(p, now) {
			u.pods = append(u.pods, p)
		}
		if p.ActiveAt(now) {
			u.members++
		}
	}
	u.need = int(quorum) - len(bound(members, now))
	if u.need <= 0 || u.need > len(u.pods) {
		return nil
	}
	// A scheduler that tries members in a fixed order may legally miss the one order that works.
	u.clean = u.clean && alike(u.pods)
	return u
}

// basicUnits are the waiting members of a basic group, each by itself.
func basicUnits(v *history.View, g *history.Gang, now history.Stamp) []*unit {
	members := membersOf(v, g)
	clean := consistent(members, g, now)
	since, live := g.Created, 0
	for _, p := range members {
		since = latest(since, ready(p))
		if p.ActiveAt(now) {
			live++
		}
	}
	var out []*unit
	for _, p := range members {
		if waits(p, now) {
			out = append(out, &unit{
				name: "pod " + p.Name + " of basic group " + g.Name, gang: g, pods: []*history.Pod{p}, need: 1,
				members: live, priority: g.Priority, complete: since, clean: clean,
			})
		}
	}
	return out
}

// consistent reports a group whose live members a scheduler has no reason to refuse: all served by the scheduler under
// test, of the group's priority, with one preemption policy, none of them gated, and with preferences that can be read.
func consistent(members []*history.Pod, g *history.Gang, now history.Stamp) bool {
	var first *history.Pod
	for _, p := range members {
		if !p.ActiveAt(now) {
			continue
		}
		gated, _ := history.ValueAt(p.Gated, now)
		if !p.Ours || gated || p.Priority != g.Priority || !parses(p) {
			return false
		}
		if first == nil {
			first = p
		}
		if policyOf(p) != policyOf(first) {
			return false
		}
	}
	return true
}

// parses reports whether the nodes that a pod prefers can be computed. The API server admits preferences that cannot, and a scheduler
// may refuse such a pod; required affinity is the oracle's to read.
func parses(p *history.Pod) bool {
	a := p.First.Spec.Affinity
	if a == nil || a.NodeAffinity == nil {
		return true
	}
	_, err := nodeaffinity.NewPreferredSchedulingTerms(a.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
	return err == nil
}

func policyOf(p *history.Pod) string {
	if pp := p.First.Spec.PreemptionPolicy; pp != nil {
		return string(*pp)
	}
	return ""
}

func alike(pods []*history.Pod) bool {
	specs := specsOf(pods)
	return oracle.Alike(specs) && !slices.ContainsFunc(specs, oracle.Ties)
}

// promised reports whether, at some time from a stamp on, room may have been kept for a pod that waits for its victims
// to end: what looks free is then not.
func promised(v *history.View, from history.Stamp) bool {
	for _, p := range v.Pods {
		for _, n := range history.Between(p.Nominated, from, history.Stamp{}) {
			if n.Value != "" && (p.Bound.IsZero() || p.Bound.After(from)) {
				return true
			}
		}
	}
	return false
}

// before reports whether o may rightly be served before u: of higher priority, or of the same and complete earlier.
func (o *unit) before(u *unit) bool {
	return o.priority > u.priority || o.priority == u.priority && o.complete.Before(u.complete)
}
