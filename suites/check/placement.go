package check

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/oracle"
)

var placementHonoured = Check{
	ID: "INV-016", Name: "PlacementHonoured",
	Rule: `"Selector which must match a node's labels for the pod to be scheduled on that node." (core/v1 PodSpec.nodeSelector)`,
	Func: func(v *history.View) []suites.Finding {
		r := reportFor(v, "INV-016", "PlacementHonoured", false, "pods", "nodes")
		held := 0
		for _, p := range v.Pods {
			if p.ByScheduler() && honoured(v, r, p) {
				held++
			}
		}
		if held > 0 {
			r.pass("%d binds went to nodes that exist and allow the pod", held)
		}
		return r.findings()
	},
}

// honoured judges where one pod was bound. It reports whether there was something to judge and it held.
func honoured(v *history.View, r *report, p *history.Pod) bool {
	spec := p.First
	if spec == nil {
		return false
	}
	objects := []string{podName(p), "node " + p.Node}
	known, allowed := false, false
	for _, n := range v.NodesNamed(p.Node) {
		known = true
		for i, o := range n.Object {
			// A form of the node counts when the scheduler may have taken it for the present one: it was in force at
			// the bind, or a moment before.
			until := n.Gone
			if i+1 < len(n.Object) {
				until = n.Object[i+1].Stamp
			}
			if o.Stamp.After(p.Bound) || reached(until, p.Bound) && p.Bound.Since(until) > lag {
				continue
			}
			ok, err := oracle.Allows(o.Value, spec)
			if err != nil {
				return false // what nobody can read, nobody can break
			}
			allowed = allowed || ok
		}
	}
	switch {
	case allowed:
		return true
	case known:
		r.fail(p.Bound, objects, "%s was bound to node %s, which does not allow it (node selector, required affinity, taints, or the node is gone)", p.Name, p.Node)
	case outsideFor(v, spec):
		r.fail(p.Bound, objects, "%s was bound to node %s, which does not exist or is not in the pool that its node selector names", p.Name, p.Node)
	}
	return false
}

// outsideFor reports whether a node that the view does not have cannot be right for the pod: the view has every node of
// the pool that the pod selects.
func outsideFor(v *history.View, spec *corev1.Pod) bool {
	pool, ok := spec.Spec.NodeSelector[nodes.PoolLabel]
	return ok && slices.Contains(slices.Collect(maps.Values(v.Scope.Pools)), pool)
}
