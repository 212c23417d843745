package history

import (
	"slices"

	resourceapi "k8s.io/api/resource/v1"
)

// Claim is one incarnation (UID) of a ResourceClaim as the history tells it.
type Claim struct {
	Namespace, Name, UID string
	// Object is its last seen form.
	Object *resourceapi.ResourceClaim
	// Owner is the UID of the object that controls it: the pod or group it was generated for; empty for none.
	Owner string
	// Created, Deleting (deletionTimestamp set), Gone; zero: never.
	Created, Deleting, Gone Stamp
	// Allocated is the timeline of what is allocated to it; the zero Allocation is none.
	Allocated []At[Allocation]
	// Reserved is the timeline of who may use it, in the order of the object.
	Reserved []At[[]Consumer]
	// Versions is the timeline of its resource version, to be compared with an action's (View.ClaimByDriver).
	Versions []At[string]
}

// Allocation is what a claim holds.
type Allocation struct {
	// Result is the object's; nil: nothing is allocated.
	Result *resourceapi.AllocationResult
	// RV is the resource version of the write that set it, to be compared with an action's (View.ClaimByDriver).
	RV string
}

// Devices are the devices of an allocation, in the order of the object.
func (a Allocation) Devices() []resourceapi.DeviceRequestAllocationResult {
	if a.Result == nil {
		return nil
	}
	return a.Result.Devices.Results
}

// Consumer is one entry of a claim's reservedFor. Resource is qualified by its API group ("pods",
// "podgroups.scheduling.k8s.io").
type Consumer struct{ Resource, Name, UID string }

const (
	// ConsumerPods and ConsumerGroups are what claims are reserved for in Kubernetes 1.37.
	ConsumerPods   = "pods"
	ConsumerGroups = "podgroups.scheduling.k8s.io"
)

// AllocationAt is what the claim holds at a place; nothing before it exists and after it is gone.
func (c *Claim) AllocationAt(s Stamp) Allocation {
	if reached(c.Gone, s) {
		return Allocation{}
	}
	a, _ := ValueAt(c.Allocated, s)
	return a
}

// ReservedAt are the consumers at a place.
func (c *Claim) ReservedAt(s Stamp) []Consumer {
	if reached(c.Gone, s) {
		return nil
	}
	r, _ := ValueAt(c.Reserved, s)
	return r
}

// ReservedFor reports whether a consumer of this resource and UID may use the claim at a place.
func (c *Claim) ReservedFor(s Stamp, resource, uid string) bool {
	return slices.ContainsFunc(c.ReservedAt(s), func(o Consumer) bool { return o.Resource == resource && o.UID == uid })
}

// AliveAt reports whether the claim exists at a place and is not being deleted.
func (c *Claim) AliveAt(s Stamp) bool {
	return reached(c.Created, s) && !reached(c.Deleting, s) && !reached(c.Gone, s)
}

// Claim is the last incarnation of the named ResourceClaim; nil if there never was one.
func (v *View) Claim(name string) *Claim { return last(find(v, v.data.claimsByName, name)) }

// ClaimsNamed are all incarnations of the named ResourceClaim, in order of creation.
func (v *View) ClaimsNamed(name string) []*Claim { return find(v, v.data.claimsByName, name) }

// ClaimsOf are the claims that the object with the UID controls, in order of creation.
func (v *View) ClaimsOf(owner string) []*Claim {
	return slices.DeleteFunc(slices.Clone(v.Claims), func(c *Claim) bool { return owner == "" || c.Owner != owner })
}

// ClaimByDriver reports whether the driver wrote the version of a claim: what it allocated and reserved is no doing of
// the scheduler under test.
func (v *View) ClaimByDriver(rv string) bool {
	return rv != "" && slices.ContainsFunc(v.Actions, func(a At[Event]) bool {
		return a.Value.Resource == claimsResource && a.Value.Group == claimsGroup && a.Value.Action != nil && a.Value.Action.Response.RV == rv
	})
}

// GeneratedAt is the name of the claim made for an entry of the gang's resourceClaims, as its status says at a place;
// empty where it does not say so.
func (g *Gang) GeneratedAt(s Stamp, entry string) string {
	m, _ := ValueAt(g.Generated, s)
	return m[entry]
}

// ClaimNames are the names of the ResourceClaims that the pod uses, as far as it was last seen to say: those it names,
// those made for it or its group, and the one made for its extended resources.
func (p *Pod) ClaimNames() []string {
	var out []string
	for _, c := range p.Object.Spec.ResourceClaims {
		if c.ResourceClaimName != nil {
			out = append(out, *c.ResourceClaimName)
		}
	}
	for _, s := range p.Object.Status.ResourceClaimStatuses {
		if s.ResourceClaimName != nil {
			out = append(out, *s.ResourceClaimName)
		}
	}
	if s := p.Object.Status.ExtendedResourceClaimStatus; s != nil {
		out = append(out, s.ResourceClaimName)
	}
	return out
}

// GeneratedFor is the name of the claim made for an entry of the pod's resourceClaims, as it was last seen to say; empty
// where it does not.
func (p *Pod) GeneratedFor(entry string) string {
	for _, s := range p.Object.Status.ResourceClaimStatuses {
		if s.Name == entry && s.ResourceClaimName != nil {
			return *s.ResourceClaimName
		}
	}
	return ""
}
