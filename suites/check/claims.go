package check

import (
	"fmt"
	"slices"

	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"muster/suites"
	"muster/suites/history"
)

var claimLifecycle = Check{
	ID: "INV-015", Name: "ClaimLifecycle",
	Rule: `"ResourceClaims defines which ResourceClaims must be allocated and reserved before the Pod is allowed to start." (core/v1 PodSpec.resourceClaims)`,
	Func: func(v *history.View) []suites.Finding {
		r := reportFor(v, "INV-015", "ClaimLifecycle", true, "pods", "nodes", claimsResource)
		for _, p := range v.Pods {
			if p.ByScheduler() {
				claimed(v, r, p)
			}
		}
		return r.findings()
	},
}

// claimed judges one bind: every claim of the pod is allocated where the pod was bound, and reserved for it or its group.
func claimed(v *history.View, r *report, p *history.Pod) {
	var wrong string
	looked := 0
	for _, name := range p.ClaimNames() {
		c := incarnation(v, p, name)
		if c == nil {
			continue // claims are not recorded, or it is another record's
		}
		looked++
		switch {
		case len(c.Object.Spec.Devices.Requests) > 0 && c.AllocationAt(p.Bound).Result == nil:
			wrong = fmt.Sprintf("claim %s is not allocated", name)
		case !reservedForPod(v, c, p):
			wrong = fmt.Sprintf("claim %s is reserved neither for it nor for its group", name)
		case !reaches(v, c, p):
			wrong = fmt.Sprintf("the devices of claim %s cannot be used from there", name)
		}
		if wrong == "" {
			continue
		}
		objects := []string{podName(p), claimName(c)}
		// Elsewhere than in a single etcd, the order of a pod and its claims is that of two watches.
		if !v.Ordered() && (changedWithin(c.Allocated, p.Bound) || changedWithin(c.Reserved, p.Bound)) {
			r.doubt(p.Bound, objects, "%s was bound to node %s although %s, but this record does not order pods against claims", p.Name, p.Node, wrong)
			return
		}
		r.fail(p.Bound, objects, "%s was bound to node %s although %s", p.Name, p.Node, wrong)
		return
	}
	if looked > 0 {
		r.pass("pod %s was bound with its claims allocated and reserved", p.Name)
	}
}

// incarnation is the claim of that name which existed when the pod was bound. Of one that came later it is nil where the
// pod may have used another before: its status is known as it was last seen, and a lost claim is made again under a new
// name.
func incarnation(v *history.View, p *history.Pod, name string) *history.Claim {
	var out *history.Claim
	all := v.ClaimsNamed(p.Namespace + "/" + name)
	for _, c := range all {
		if !c.Created.After(p.Bound) {
			out = c
		}
	}
	if out == nil && len(all) > 0 && (all[0].Owner == "" || len(v.ClaimsOf(all[0].Owner)) == 1) {
		return all[0]
	}
	return out
}

// reservedForPod reports whether the claim was reserved for the pod when it was bound, or for a group of the name it
// gives. What an earlier group of that name left behind is no reservation for the members of the next.
func reservedForPod(v *history.View, c *history.Claim, p *history.Pod) bool {
	return admits(v, p, c.ReservedAt(p.Bound), p.Bound)
}

// admits reports whether one of the consumers lets the pod use a claim at a place: the pod itself, or its group, as long
// as that exists.
func admits(v *history.View, p *history.Pod, consumers []history.Consumer, at history.Stamp) bool {
	return slices.ContainsFunc(consumers, func(c history.Consumer) bool {
		switch {
		case c.Resource == history.ConsumerPods:
			return c.UID == p.UID
		case c.Resource != history.ConsumerGroups || p.Gang == "":
			return false
		}
		return slices.ContainsFunc(v.GangsNamed(p.Namespace+"/"+p.Gang), func(g *history.Gang) bool {
			return g.UID == c.UID && !(v.Ordered() && reached(g.Gone, at))
		})
	})
}

// reaches reports whether what the claim holds can be used from the pod's node. A node that is not known is not judged.
func reaches(v *history.View, c *history.Claim, p *history.Pod) bool {
	a := c.AllocationAt(p.Bound)
	n := v.Node(p.Node)
	if a.Result == nil || a.Result.NodeSelector == nil || n == nil {
		return true
	}
	selector, err := nodeaffinity.NewNodeSelector(a.Result.NodeSelector)
	if err != nil {
		return true // the API server accepted what this library does not know
	}
	for _, form := range n.Object {
		if selector.Match(form.Value) {
			return true // labels may have moved; any form the node had will do
		}
	}
	return len(n.Object) == 0
}

func changedWithin[T any](tl []history.At[T], at history.Stamp) bool {
	for _, a := range tl {
		if d := a.Stamp.Since(at); d <= lag && d >= -lag {
			return true
		}
	}
	return false
}
