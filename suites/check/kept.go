package check

import (
	"muster/suites"
	"muster/suites/history"
)

var claimKept = Check{
	ID: "INV-017", Name: "ClaimKept",
	Rule: `"A Pod which references a ResourceClaim which is not reserved for that Pod will not be started. A claim that is in use or might be in use because it has been reserved must not get deallocated." (resource/v1 ResourceClaimStatus.reservedFor)`,
	Func: func(v *history.View) []suites.Finding {
		r := reportFor(v, "INV-017", "ClaimKept", true, "pods", claimsResource)
		users := usersOf(v)
		for _, c := range v.Claims {
			keeper{v, r, c, users[c.Namespace+"/"+c.Name]}.judge()
		}
		return r.findings()
	},
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

// keeper judges what was taken away from one claim: its devices, a reservation, the claim itself. Whoever took it, while
// a pod used it, took too much; what the scenario's own driver takes says nothing about anybody.
type keeper struct {
	v     *history.View
	r     *report
	claim *history.Claim
	users []*history.Pod
}

func (k keeper) judge() {
	c := k.claim
	for i, a := range c.Allocated {
		if i > 0 && a.Value.Result == nil && !k.v.ClaimByDriver(a.Value.RV) {
			k.taken(a.Stamp, "its devices", k.users)
		}
	}
	for i := 1; i < len(c.Reserved); i++ {
		k.dropped(c.Reserved[i-1].Value, c.Reserved[i])
	}
	if held, _ := history.Latest(c.Allocated); c.Gone.IsZero() || held.Result == nil {
		return
	}
	// A claim is protected by a finalizer from when it is allocated until its devices have been taken back.
	var admitted []*history.Pod
	last, _ := history.Latest(c.Reserved)
	for _, p := range k.users {
		if admits(k.v, p, last, c.Gone) {
			admitted = append(admitted, p)
		}
	}
	k.taken(c.Gone, "its object", admitted)
}

// dropped judges one change of the consumers: whom it let use the claim before, and does not any more.
func (k keeper) dropped(before []history.Consumer, now history.At[[]history.Consumer]) {
	if rv, _ := history.ValueAt(k.claim.Versions, now.Stamp); k.v.ClaimByDriver(rv) {
		return
	}
	var out []*history.Pod
	for _, p := range k.users {
		if admits(k.v, p, before, now.Stamp) && !admits(k.v, p, now.Value, now.Stamp) {
			out = append(out, p)
		}
	}
	if len(now.Value) < len(before) || len(out) > 0 {
		k.taken(now.Stamp, "a reservation", out)
	}
}

// taken notes that the claim lost something, and fails where one of the pods still used it.
func (k keeper) taken(at history.Stamp, what string, users []*history.Pod) {
	c := k.claim
	for _, p := range users {
		// A pod that ended within the lag before may not have ended yet, where pods and claims are not in one order.
		if !p.BoundAt(at) || p.Created.After(at) {
			continue
		}
		objects := []string{claimName(c), podName(p)}
		if !k.v.Ordered() && (p.Bound.Since(at) >= -lag || endedWithin(p, at)) {
			k.r.doubt(at, objects, "claim %s lost %s while pod %s used it, but this record does not order pods against claims", c.Name, what, p.Name)
			return
		}
		k.r.fail(at, objects, "claim %s lost %s while pod %s, which runs on node %s, uses it", c.Name, what, p.Name, p.Node)
		return
	}
	k.r.pass("claim %s lost %s when nobody used it any more", c.Name, what)
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
