package historytest

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"muster/suites/history"
)

// Driver is the device driver of devices that name none.
const Driver = "test.example.com"

var claims = stream{"resource.k8s.io", "v1", "resourceclaims"}

// ClaimOption changes a ResourceClaim before it is created.
type ClaimOption = func(*resourceapi.ResourceClaim)

// UsesClaim makes a pod use the named ResourceClaim.
func UsesClaim(entry, claim string) PodOption {
	return func(p *corev1.Pod) {
		p.Spec.ResourceClaims = append(p.Spec.ResourceClaims, corev1.PodResourceClaim{Name: entry, ResourceClaimName: &claim})
	}
}

// UsesTemplate makes a pod use a claim made from the named ResourceClaimTemplate.
func UsesTemplate(entry, template string) PodOption {
	return func(p *corev1.Pod) {
		p.Spec.ResourceClaims = append(p.Spec.ResourceClaims, corev1.PodResourceClaim{Name: entry, ResourceClaimTemplateName: &template})
	}
}

// Claim creates a ResourceClaim that nobody controls.
func (b *Builder) Claim(name string, opts ...ClaimOption) *Builder {
	b.stream(claims)
	c := &resourceapi.ResourceClaim{}
	for _, f := range opts {
		f(c)
	}
	return b.put(&object{stream: claims, namespace: Namespace, name: name, uid: b.uid(name), value: c}, history.VerbAdded)
}

// PodClaim creates the claim of a pod's entry, and the pod's status says so.
func (b *Builder) PodClaim(pod, entry, name string) *Builder {
	return b.Claim(name, controlled("Pod", b.find("pods", Namespace, pod))).PodHasClaim(pod, entry, name)
}

// GangClaim creates the claim of a gang's entry, and the gang's status says so beside what it said.
func (b *Builder) GangClaim(gang, entry, name string) *Builder {
	b.Claim(name, controlled("PodGroup", b.find("podgroups", Namespace, gang)))
	return b.GangHasClaim(gang, entry, name)
}

// GangHasClaim writes one entry of the gang's resourceClaimStatuses; an empty claim takes the entry away.
func (b *Builder) GangHasClaim(gang, entry, claim string) *Builder {
	return b.changeGroup(gang, func(_, _, st map[string]any) {
		var list []any
		have, _ := st["resourceClaimStatuses"].([]any)
		for _, e := range have {
			if e.(map[string]any)["name"] != entry {
				list = append(list, e)
			}
		}
		if claim != "" {
			list = append(list, map[string]any{"name": entry, "resourceClaimName": claim})
		}
		st["resourceClaimStatuses"] = list
	})
}

// PodHasClaim writes an entry of the pod's resourceClaimStatuses.
func (b *Builder) PodHasClaim(pod, entry, claim string) *Builder {
	return b.ChangePod(pod, func(p *corev1.Pod) {
		p.Status.ResourceClaimStatuses = append(p.Status.ResourceClaimStatuses, corev1.PodResourceClaimStatus{Name: entry, ResourceClaimName: &claim})
	})
}

func controlled(kind string, o *object) ClaimOption {
	yes := true
	return func(c *resourceapi.ResourceClaim) {
		c.OwnerReferences = []metav1.OwnerReference{{Kind: kind, Name: o.name, UID: types.UID(o.uid), Controller: &yes}}
	}
}

// ChangeClaim changes a claim.
func (b *Builder) ChangeClaim(name string, f ClaimOption) *Builder {
	o := b.find(claims.resource, Namespace, name)
	c := o.value.(*resourceapi.ResourceClaim).DeepCopy()
	f(c)
	o.value = c
	return b.put(o, history.VerbModified)
}

// Allocate gives devices to a claim, each as pool/device or request=pool/device (request "r" where none is named).
func (b *Builder) Allocate(claim string, devices ...string) *Builder {
	return b.ChangeClaim(claim, func(c *resourceapi.ResourceClaim) { c.Status.Allocation = allocation(devices) })
}

// AllocateOn is Allocate of devices that are only there on one node.
func (b *Builder) AllocateOn(node, claim string, devices ...string) *Builder {
	return b.ChangeClaim(claim, func(c *resourceapi.ResourceClaim) {
		c.Status.Allocation = allocation(devices)
		c.Status.Allocation.NodeSelector = &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{node}}},
		}}}
	})
}

// DriverAllocate is Allocate by the scenario's driver.
func (b *Builder) DriverAllocate(claim string, devices ...string) *Builder {
	return b.Allocate(claim, devices...).driverWrote(claim)
}

// DriverChangesClaim is ChangeClaim by the scenario's driver.
func (b *Builder) DriverChangesClaim(claim string, f ClaimOption) *Builder {
	return b.ChangeClaim(claim, f).driverWrote(claim)
}

// driverWrote says that the last version of a claim was written by the driver.
func (b *Builder) driverWrote(claim string) *Builder {
	return b.driver(history.Event{Group: claims.group, Version: claims.version, Resource: claims.resource, Verb: history.VerbPatch,
		Namespace: Namespace, Name: claim, Action: &history.Action{Label: "write " + claim, Subresource: "status",
			Response: history.Response{Code: 200, RV: b.find(claims.resource, Namespace, claim).rv}}})
}

func allocation(devices []string) *resourceapi.AllocationResult {
	a := &resourceapi.AllocationResult{}
	for _, d := range devices {
		request, rest, named := strings.Cut(d, "=")
		if !named {
			request, rest = "r", d
		}
		pool, device, ok := strings.Cut(rest, "/")
		if !ok {
			panic(fmt.Sprintf("historytest: %q is not pool/device", d))
		}
		a.Devices.Results = append(a.Devices.Results, resourceapi.DeviceRequestAllocationResult{
			Request: request, Driver: Driver, Pool: pool, Device: device,
		})
	}
	return a
}

// Deallocate takes a claim's devices away.
func (b *Builder) Deallocate(claim string) *Builder {
	return b.ChangeClaim(claim, func(c *resourceapi.ResourceClaim) { c.Status.Allocation = nil })
}

// Reserve adds living consumers to a claim, each as pod:NAME or gang:NAME.
func (b *Builder) Reserve(claim string, consumers ...string) *Builder {
	return b.ChangeClaim(claim, func(c *resourceapi.ResourceClaim) {
		for _, who := range consumers {
			kind, name, _ := strings.Cut(who, ":")
			r := resourceapi.ResourceClaimConsumerReference{Resource: "pods", Name: name}
			if kind == "gang" {
				r.APIGroup, r.Resource = "scheduling.k8s.io", "podgroups"
			}
			r.UID = types.UID(b.find(r.Resource, Namespace, name).uid)
			c.Status.ReservedFor = append(c.Status.ReservedFor, r)
		}
	})
}

// Unreserve takes every consumer off a claim.
func (b *Builder) Unreserve(claim string) *Builder {
	return b.ChangeClaim(claim, func(c *resourceapi.ResourceClaim) { c.Status.ReservedFor = nil })
}

// ClaimDeleting marks a claim as being deleted (its finalizer holds it); ClaimGone removes it.
func (b *Builder) ClaimDeleting(name string) *Builder {
	return b.ChangeClaim(name, func(c *resourceapi.ResourceClaim) {
		now := metav1.NewTime(started.Add(b.now))
		c.DeletionTimestamp = &now
	})
}

// ClaimGone removes a claim.
func (b *Builder) ClaimGone(name string) *Builder {
	return b.put(b.find(claims.resource, Namespace, name), history.VerbDeleted)
}
