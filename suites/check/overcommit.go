package check

import (
	"strings"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/oracle"
	"muster/suites/premise"
)

var noOvercommit = Check{
	ID: "INV-003", Name: "NoOvercommit",
	Rule: `"Allocatable represents the resources of a node that are available for scheduling." (core/v1 NodeStatus.allocatable)`,
	Func: func(v *history.View) []suites.Finding {
		r := reportFor(v, "INV-003", "NoOvercommit", false, "pods", "nodes")
		binds := map[int64][]*history.Pod{} // by place in the order
		for _, p := range v.Pods {
			if p.ByScheduler() {
				binds[p.Bound.Order] = append(binds[p.Bound.Order], p)
			}
		}
		held := 0
		var standing premise.Standing
		v.Replay(func(s *history.State, at history.Stamp) bool {
			standing.See(s, func(string) {})
			for _, p := range binds[at.Order] {
				if overcommits(v, r, s, &standing, p) {
					held++
				}
			}
			return true
		})
		if held > 0 {
			r.pass("%d binds left their nodes within what they offer", held)
		}
		return r.findings()
	},
}

// overcommits judges the node of one bind in the state right after it. It reports whether there was something to judge
// and it held.
func overcommits(v *history.View, r *report, s *history.State, standing *premise.Standing, p *history.Pod) bool {
	node, self := s.Nodes[p.Node], s.Pods[p.UID]
	if node == nil || self == nil {
		return false // a node outside the view, or gone; or the pod finished at the same place
	}
	excess := oracle.Excess(oracle.NodeOf(node, standing.On(p.Node)...), self.Now)
	if len(excess) == 0 {
		return true
	}
	objects := []string{"node " + p.Node, podName(p)}
	what := strings.Join(excess, "; ")
	if why := changedUnderneath(v, p); why != "" {
		r.doubt(p.Bound, objects, "binding %s to node %s overcommits it (%s), but %s just before", p.Name, p.Node, what, why)
		return false
	}
	r.fail(p.Bound, objects, "binding %s to node %s overcommits it: %s", p.Name, p.Node, what)
	return false
}

// changedUnderneath names what somebody else did to the node so shortly before the bind that the scheduler may not have
// seen it; empty: nothing.
func changedUnderneath(v *history.View, p *history.Pod) string {
	recent := func(s history.Stamp) bool {
		return !s.IsZero() && !s.After(p.Bound) && p.Bound.Since(s) <= lag
	}
	for _, o := range v.Pods {
		if o != p && o.Node == p.Node && !o.ByScheduler() && recent(o.Bound) {
			return podName(o) + " was bound there by somebody else"
		}
	}
	for _, n := range v.NodesNamed(p.Node) {
		for i, o := range n.Object {
			if i > 0 && recent(o.Stamp) && !premise.SamePlace(n.Object[i-1].Value, o.Value) {
				return "the node was changed"
			}
		}
	}
	return ""
}
