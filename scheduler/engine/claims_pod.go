package engine

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// source is where the claim of an entry comes from: an object, or a template of which one is made.
type source struct{ claim, template string }

func sourceOf(claim, template *string) source {
	var s source
	if claim != nil {
		s.claim = *claim
	}
	if template != nil {
		s.template = *template
	}
	return s
}

// use is one entry of a pod's resource claims.
type use struct {
	entry string // empty: the claim made for its extended resources
	source
	claim *deviceClaim // nil: it is not made yet
}

// usesOf are the claims a pod uses. Entries for which the control plane decided to make none are left out.
func (e *Engine) usesOf(p *corev1.Pod) []use {
	var out []use
	for _, c := range p.Spec.ResourceClaims {
		u := use{entry: c.Name, source: sourceOf(c.ResourceClaimName, c.ResourceClaimTemplateName)}
		name := u.source.claim
		if c.ResourceClaimName == nil {
			made := slices.IndexFunc(p.Status.ResourceClaimStatuses, func(s corev1.PodResourceClaimStatus) bool { return s.Name == c.Name })
			if made >= 0 && p.Status.ResourceClaimStatuses[made].ResourceClaimName == nil {
				continue
			}
			if made >= 0 {
				name = *p.Status.ResourceClaimStatuses[made].ResourceClaimName
			}
		}
		if name != "" {
			u.claim = e.deviceClaimFor(Key{p.Namespace, name})
		}
		if u.claim != nil && slices.ContainsFunc(out, func(o use) bool { return o.claim == u.claim }) {
			continue // named twice: one is enough
		}
		out = append(out, u)
	}
	if s := p.Status.ExtendedResourceClaimStatus; s != nil && s.ResourceClaimName != "" {
		out = append(out, use{claim: e.deviceClaimFor(Key{p.Namespace, s.ResourceClaimName})})
	}
	return out
}

// readClaims takes over the claims that a PodGroup's members share.
func (g *group) readClaims(list []schedulingv1beta1.PodGroupResourceClaim) {
	g.shares = nil
	var text strings.Builder
	for _, c := range list {
		s := sourceOf(c.ResourceClaimName, c.ResourceClaimTemplateName)
		if g.shares == nil {
			g.shares = map[string]source{}
		}
		g.shares[c.Name] = s
		fmt.Fprintf(&text, "%q%q%q", c.Name, s.claim, s.template)
	}
	g.claims = text.String()
}

// byGroup: the pod uses the claim as a member of its group, which has an entry of the same name and source.
func (p *pod) byGroup(u use) bool {
	if p.group == nil || u.entry == "" {
		return false
	}
	s, ok := p.group.shares[u.entry]
	return ok && s == u.source
}

// own: nobody but the pod uses the claim.
func (p *pod) own(u use) bool { return u.claim != nil && len(u.claim.pods) == 1 && !p.byGroup(u) }

// consumer is for whom the claim is reserved when the pod is bound.
func (p *pod) consumer(u use) resourceapi.ResourceClaimConsumerReference {
	if p.byGroup(u) {
		return resourceapi.ResourceClaimConsumerReference{APIGroup: schedulingv1beta1.GroupName, Resource: "podgroups", Name: p.group.Name, UID: p.group.uid}
	}
	return resourceapi.ResourceClaimConsumerReference{Resource: "pods", Name: p.Name, UID: p.uid}
}

// linkDevices makes the claims of a pod know of it.
func (e *Engine) linkDevices(p *pod) {
	for _, u := range p.uses {
		if u.claim == nil {
			continue
		}
		u.claim.pods = append(u.claim.pods, p)
		if len(u.claim.pods) == 2 {
			e.fit(u.claim.pods[0]) // it is not its own any more
		}
	}
	e.fit(p)
}

// unlinkDevices is the reverse.
func (e *Engine) unlinkDevices(p *pod) {
	for _, u := range p.uses {
		c := u.claim
		if c == nil {
			continue
		}
		at := slices.Index(c.pods, p)
		c.pods = slices.Delete(c.pods, at, at+1)
		if len(c.pods) == 1 {
			e.fit(c.pods[0])
		}
		e.dropDeviceClaim(c)
	}
}

// refit looks again at the waiting members of a group whose shared claims changed.
func (e *Engine) refit(g *group) {
	for _, p := range g.waiting {
		e.fit(p)
	}
}

// devicesReady says why the pod cannot have its devices wherever it goes; the zero Reason if it can.
func (e *Engine) devicesReady(p *pod) Reason {
	for _, u := range p.uses {
		if u.entry == "" {
			continue
		}
		if r := e.claimReady(p, u); r.Code != NoReason {
			return r
		}
	}
	if d := p.shape.devices.demand; d != nil {
		return e.demandReady(d)
	}
	return Reason{}
}

func (e *Engine) claimReady(p *pod, u use) Reason {
	c := u.claim
	switch {
	case c == nil:
		return Reason{Code: ResourceClaimMissing, Object: p.Key.String(),
			Detail: fmt.Sprintf("entry %s of pod %s waits for the one to be made from ResourceClaimTemplate %s", u.entry, p.Key, u.template)}
	case c.obj == nil:
		return Reason{Code: ResourceClaimMissing, Object: c.Key.String()}
	case c.obj.DeletionTimestamp != nil:
		return Reason{Code: DeviceFault, Detail: fmt.Sprintf("ResourceClaim %s is being deleted", c.Key)}
	case u.template != "" && !p.owns(c.obj):
		return Reason{Code: DeviceFault, Detail: fmt.Sprintf("ResourceClaim %s was not made for pod %s or its PodGroup", c.Key, p.Key)}
	}
	a := c.settled()
	if a == nil {
		if p.own(u) {
			return Reason{} // part of the shape's demand
		}
		return e.demandReady(c.demand)
	}
	if gone := e.devices.Gone(a); gone != "" && c.users == 0 {
		return Reason{Code: DeviceFault, Detail: fmt.Sprintf("ResourceClaim %s holds %s, which no ResourceSlice describes any more", c.Key, gone)}
	}
	return Reason{}
}

// owns: the claim was made for the pod, or for its group.
func (p *pod) owns(c *resourceapi.ResourceClaim) bool {
	o := metav1.GetControllerOfNoCopy(c)
	if o == nil {
		return false
	}
	return o.UID == p.uid || p.group != nil && o.Kind == "PodGroup" && o.Name == p.group.Name && strings.HasPrefix(o.APIVersion, schedulingv1beta1.GroupName+"/")
}
