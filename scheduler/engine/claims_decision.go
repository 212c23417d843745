package engine

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"
)

// ClaimRef is a ResourceClaim by name and UID.
type ClaimRef struct {
	Key
	UID types.UID
}

// DeviceClaim is what must be true of a ResourceClaim before the pod that uses it is bound.
type DeviceClaim struct {
	// Name of the claim in the pod's namespace; empty for the claim that is to be made for extended resources.
	Name string
	UID  types.UID
	// Allocation it must have. It is shared with the engine: copy it before changing it.
	Allocation *resourceapi.AllocationResult
	// Consumer it must be reserved for.
	Consumer resourceapi.ResourceClaimConsumerReference
	// Requests and Uses of the claim to be made: what it asks for, and which container uses which request.
	Requests []resourceapi.DeviceRequest
	Uses     []corev1.ContainerExtendedResourceRequest
	// Replaces is a claim that a former attempt made for the pod, to be deleted first; empty for none.
	Replaces ClaimRef
}

// deviceClaims are the claims of a pod that a trial placed.
func (e *Engine) deviceClaims(s *step) []DeviceClaim {
	p := s.pod
	var out []DeviceClaim
	next := 0 // of the tenant's claims
	for _, u := range p.uses {
		if u.entry == "" || u.claim == nil {
			continue
		}
		a := e.allocation(u.claim)
		if a == nil && s.tenant != nil {
			a = &e.devices.Results(s.tenant)[next]
			next++
		}
		out = append(out, DeviceClaim{Name: u.claim.Name, UID: u.claim.uid(), Allocation: a, Consumer: p.consumer(u)})
	}
	if s.tenant == nil {
		return out
	}
	if r := e.devices.Results(s.tenant); next < len(r) {
		d := DeviceClaim{Allocation: &r[next], Consumer: p.consumer(use{})}
		d.Requests, d.Uses = p.shape.devices.extended.requests(e.through(p.shape, e.nodes[s.node]))
		if old := e.devices.made[p.uid]; old != nil {
			d.Replaces = ClaimRef{old.Key, old.uid()}
		}
		out = append(out, d)
	}
	return out
}

// extendedHolding is the name under which a pod holds the devices of a claim that is being made for it.
func extendedHolding(uid types.UID) string { return "extended/" + string(uid) }

// assumeDevices holds what a placement gives a pod.
func (e *Engine) assumeDevices(p *pod, list []DeviceClaim) {
	for _, d := range list {
		if d.Name == "" {
			e.devices.Hold(extendedHolding(p.uid), d.Allocation)
			continue
		}
		c := e.devices.claims[Key{p.Namespace, d.Name}]
		if c == nil || c.uid() != d.UID || c.settled() != nil {
			continue
		}
		c.assumed = d.Allocation
		e.devices.Hold(c.holding(), d.Allocation)
	}
	e.devicesMoved()
}

// ForgetDevices takes back what was assumed for a placement whose pod is gone by now, unless others count on it. Forget
// does it for a pod that waits again.
func (e *Engine) ForgetDevices(pl Placement) {
	if p := e.pods[pl.Pod.Key]; p != nil && p.uid == pl.Pod.UID && p.holds {
		return
	}
	e.devices.Drop(extendedHolding(pl.Pod.UID))
	for _, d := range pl.Devices {
		if c := e.devices.claims[Key{pl.Pod.Namespace, d.Name}]; c != nil {
			e.unassume(c)
		}
	}
	e.devicesMoved()
}

// unassume forgets an allocation that was not seen in the API and that nobody uses.
func (e *Engine) unassume(c *deviceClaim) {
	if c.assumed == nil || c.users > 0 {
		return
	}
	c.assumed = nil
	e.devices.Drop(c.holding())
	e.waiting.changed = true
	for _, q := range c.pods {
		e.fit(q)
		e.waiting.wake(e.rootOf(q))
	}
	e.dropDeviceClaim(c)
}

// forgetDevices takes back what was assumed for a pod that is not bound after all, unless others count on it.
func (e *Engine) forgetDevices(p *pod) {
	e.devices.Drop(extendedHolding(p.uid))
	for _, u := range p.uses {
		if u.claim != nil {
			e.unassume(u.claim)
		}
	}
	e.fit(p)
	e.devicesMoved()
}

// madeFor is the pod for whose extended resources a claim was made; empty for other claims.
func madeFor(obj *resourceapi.ResourceClaim) types.UID {
	if obj.Annotations[resourceapi.ExtendedResourceClaimAnnotation] != "true" || len(obj.OwnerReferences) == 0 {
		return ""
	}
	return obj.OwnerReferences[0].UID
}

// revoke names the claims that a root without a place holds for nothing: allocated, reserved for nobody but what waits,
// and no member of a group of which anything ever ran. What a former attempt left behind must not stand in the way of
// the next one, nor of others.
func (e *Engine) revoke(d *Decision) {
	if d.Outcome != Unschedulable && d.Reason.Code != DeviceFault {
		return
	}
	for _, l := range d.Left {
		p := e.pods[l.Pod.Key]
		if p == nil || p.group != nil && (p.group.met || len(p.group.settled) > 0) {
			continue
		}
		claims := []*deviceClaim{e.devices.made[p.uid]}
		for _, u := range p.uses {
			if u.claim != claims[0] {
				claims = append(claims, u.claim)
			}
		}
		for _, c := range claims {
			if c == nil || c.obj == nil || c.users > 0 || c.assumed != nil || c.obj.Status.Allocation == nil || c.obj.DeletionTimestamp != nil {
				continue
			}
			if e.idleReservation(c, p.scheduler) && !slices.Contains(d.Revoke, c.obj) {
				d.Revoke = append(d.Revoke, c.obj)
			}
		}
	}
}

// idleReservation: whoever the claim is reserved for is known here and waits for the same scheduler. Another one may be about to
// bind its pod.
func (e *Engine) idleReservation(c *deviceClaim, scheduler string) bool {
	if madeFor(c.obj) != "" {
		return true
	}
	for _, r := range c.obj.Status.ReservedFor {
		known := slices.ContainsFunc(c.pods, func(p *pod) bool {
			return p.scheduler == scheduler && (r.UID == p.uid || p.group != nil && p.group.uid == r.UID && p.group.bound == 0)
		})
		if !known {
			return false
		}
	}
	return true
}
