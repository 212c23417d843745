package check

import (
	"fmt"

	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"muster/suites"
	"muster/suites/history"
)

var claimLifecycle = Check{
	ID: "INV-015", Name: "ClaimLifecycle",
	Rule: `"ResourceClaims defines which ResourceClaims must be allocated and reserved before the Pod is allowed to start." (core/v1 PodSpec.resourceClaims) ` +
		`and "A claim that is in use or might be in use because it has been reserved must not get deallocated." (resource/v1 ResourceClaimStatus.reservedFor)`,
	Func: func(v *history.View) []suites.Finding {
		r := reportFor(v, "INV-015", "ClaimLifecycle", true, "pods", "nodes", claimsResource)
		for _, p := range v.Pods {
			if p.ByScheduler() {
				claimed(v, r, p)
			}
		}
		users := usersOf(v)
		for _, c := range v.Claims {
			kept(v, r, c, users[c.Namespace+"/"+c.Name])
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

// reservedForPod reports whether the claim is reserved for the pod, or for a group of the name it gives. What an earlier
// group of that name left behind is no reservation for the members of the next.
func reservedForPod(v *history.View, c *history.Claim, p *history.Pod) bool {
	if c.ReservedFor(p.Bound, history.ConsumerPods, p.UID) {
		return true
	}
	if p.Gang == "" {
		return false
	}
	for _, g := range v.GangsNamed(p.Namespace + "/" + p.Gang) {
		if v.Ordered() && reached(g.Gone, p.Bound) {
			continue
		}
		if c.ReservedFor(p.Bound, history.ConsumerGroups, g.UID) {
			return true
		}
	}
	return false
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

// usersOf are the pods by the claims they use, as namespace/name.
func usersOf(v *history.View) map[string][]*history.Pod {
	out := map[string][]*history.Pod{}
	for _, p := range v.Pods {
		for _, name := range p.ClaimNames() {
			out[p.Namespace+"/"+name] = append(out[p.Namespace+"/"+name], p)
		}
	}
	return out
}

// kept judges every time that devices were taken away from a claim: nobody it is reserved for may still use them.
func kept(v *history.View, r *report, c *history.Claim, users []*history.Pod) {
	for i, a := range c.Allocated {
		if i == 0 || a.Value.Result != nil || v.ClaimByDriver(a.Value.RV) {
			continue
		}
		for _, p := range users {
			// Both claims and pods are needed in order: what ended within the lag before may not have ended yet.
			if !p.BoundAt(a.Stamp) || p.Created.After(a.Stamp) {
				continue
			}
			objects := []string{claimName(c), podName(p)}
			if !v.Ordered() && (p.Bound.Since(a.Stamp) >= -lag || endedWithin(p, a.Stamp)) {
				r.doubt(a.Stamp, objects, "claim %s lost its devices while pod %s used them, but this record does not order pods against claims", c.Name, p.Name)
				return
			}
			r.fail(a.Stamp, objects, "claim %s lost its devices while pod %s, which runs on node %s, uses them", c.Name, p.Name, p.Node)
			return
		}
		r.pass("claim %s lost its devices when nobody used them any more", c.Name)
	}
}

// endedWithin reports whether the pod ended at about a place.
func endedWithin(p *history.Pod, at history.Stamp) bool {
	for _, s := range []history.Stamp{p.Deleting, p.Finished, p.Gone} {
		if !s.IsZero() && s.Since(at) <= lag {
			return true
		}
	}
	return false
}
